//! What `make install` installs beside the program: the manual pages and the completions of shells.

use std::fs;
use std::path::Path;

use clap::Command;
use clap_complete::Shell;

use crate::Failure;

/// Shells, and where each looks for completions below `share`.
const SHELLS: [(Shell, &str, &str); 3] = [
    (Shell::Bash, "bash-completion/completions", "secateur"),
    (Shell::Zsh, "zsh/site-functions", "_secateur"),
    (Shell::Fish, "fish/vendor_completions.d", "secateur.fish"),
];

/// Writes everything below a folder, as it belongs below `share`.
pub(crate) fn write(command: Command, share: &Path) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error| Failure::Input(format!("cannot write {path}: {error}"))
    };
    let mut completed = command.clone();
    for (shell, folder, name) in SHELLS {
        let folder = share.join(folder);
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut completed, "secateur", &mut script);
        let path = folder.join(name);
        fs::write(&path, script).map_err(failed(&path))?;
    }
    let folder = share.join("man/man1");
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    // The pages of subcommands are named after the whole: secateur-run(1).
    let mut command = command.disable_help_subcommand(true);
    command.build();
    clap_mangen::generate_to(command, &folder).map_err(failed(&folder))
}
