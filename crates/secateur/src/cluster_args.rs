//! The arguments of `secateur cluster` and `secateur worker`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::args::{RunArgs, VerifyArgs};

#[derive(Args)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub command: ClusterCommand,
}

#[derive(Subcommand)]
pub(crate) enum ClusterCommand {
    /// As `secateur run`, with all workers that are connected to the server
    Run(Box<ClusterRunArgs>),
    /// As `secateur verify`, with all workers that are connected to the server
    Verify(Box<ClusterVerifyArgs>),
    /// Show the runs on a server and who works for them
    Status(StatusArgs),
    /// Stop a run; what is pending stays on the server
    Stop(OneRunArgs),
    /// Continue a run that was stopped, or whose collector was killed
    Resume(ResumeArgs),
    /// Remove finished runs from a server, or the one that --run names
    Gc(OneRunArgs),
}

/// Where the server is.
#[derive(Args, Clone)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerArgs {
    /// The address of the NATS server: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(long, value_name = "URL", default_value = "nats://127.0.0.1:4222")]
    pub nats: String,

    /// A file of NATS credentials
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,

    /// A token that the server asks for; the variable NATS_TOKEN is another way to give it
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,

    /// The certificate with which the server's is signed, if the system does not know it; the connection is secure then
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,

    /// Our certificate, if the server asks for one
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// The key of our certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

/// How a run begins on a server.
#[derive(Args)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct BeginArgs {
    /// The name of the run [default: that of the program and a number]
    #[arg(long = "run", value_name = "NAME")]
    pub run_name: Option<String>,

    /// Do not explore here, only collect what workers find
    #[arg(long)]
    pub collect_only: bool,

    /// A worker that is silent for this long is taken for dead, and another gets its task
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = crate::settings::parse_duration)]
    pub lease: Duration,

    /// The most that the server may store of what is found [default: no limit but the server's]
    #[arg(long, value_name = "SIZE", value_parser = crate::settings::parse_size)]
    pub max_stream: Option<u64>,
}

#[derive(Args)]
pub(crate) struct ClusterRunArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub begin: BeginArgs,
    #[command(flatten)]
    pub explored: RunArgs,
}

#[derive(Args)]
pub(crate) struct ClusterVerifyArgs {
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub begin: BeginArgs,
    #[command(flatten)]
    pub verified: VerifyArgs,
}

#[derive(Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub server: ServerArgs,
}

#[derive(Args)]
pub(crate) struct OneRunArgs {
    #[command(flatten)]
    pub server: ServerArgs,

    /// The run, if there are several
    #[arg(long = "run", value_name = "NAME")]
    pub run_name: Option<String>,
}

#[derive(Args)]
pub(crate) struct ResumeArgs {
    #[command(flatten)]
    pub server: ServerArgs,

    /// The run, if there are several
    #[arg(long = "run", value_name = "NAME")]
    pub run_name: Option<String>,

    /// Where to write; an existing folder is replaced only if Secateur wrote it
    #[arg(long, short, value_name = "DIR", default_value = "secateur-out")]
    pub out: PathBuf,

    /// Do not explore here, only collect what workers find
    #[arg(long)]
    pub collect_only: bool,

    /// How many threads explore here [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Stop after this time, e.g. 30s, 5m, 2h, or a number of seconds
    #[arg(long, value_name = "TIME", value_parser = crate::settings::parse_duration)]
    pub max_time: Option<Duration>,

    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub server: ServerArgs,

    /// Work for this run [default: for whatever run there is, one after the other]
    #[arg(long = "run", value_name = "NAME")]
    pub run_name: Option<String>,

    /// End when a run is over instead of waiting for the next
    #[arg(long)]
    pub once: bool,

    /// How many threads explore [default: one per core]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// The most memory to use, e.g. 500M, 4G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = crate::settings::parse_size)]
    pub max_memory: u64,

    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}
