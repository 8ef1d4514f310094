//! The files of a program and its open descriptors.

/// A file or the standard input, whose content is symbolic input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct File {
    /// The name under which it can be opened; `None` for the standard input.
    pub name: Option<String>,
    /// Its first input byte.
    pub first: u32,
    /// Its length.
    pub len: u32,
}

/// What a descriptor refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Open {
    /// A file, by index, and the read position.
    File { file: usize, position: u64 },
    /// Empty standard input, as if it were `/dev/null`.
    Nothing,
    /// A pipe: standard output (1) or standard error (2).
    Output(i32),
}

/// All files and open descriptors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Files {
    files: Vec<File>,
    /// By descriptor; `None` is free.
    descriptors: Vec<Option<Open>>,
}

impl Default for Files {
    /// No files, and an empty standard input.
    fn default() -> Files {
        let descriptors = vec![Some(Open::Nothing), Some(Open::Output(1)), Some(Open::Output(2))];
        Files { files: Vec::new(), descriptors }
    }
}

impl Files {
    /// Makes the standard input symbolic.
    pub(crate) fn set_stdin(&mut self, first: u32, len: u32) {
        self.files.push(File { name: None, first, len });
        self.descriptors[0] = Some(Open::File { file: self.files.len() - 1, position: 0 });
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, name: &str, first: u32, len: u32) {
        self.files.push(File { name: Some(name.to_string()), first, len });
    }

    /// All files that can be opened, with their indices.
    pub(crate) fn named(&self) -> impl Iterator<Item = (usize, &str)> {
        self.files.iter().enumerate().filter_map(|(number, file)| Some((number, file.name.as_deref()?)))
    }

    /// A file by its index.
    pub(crate) fn file(&self, number: usize) -> &File {
        &self.files[number]
    }

    /// What a descriptor refers to, if it is open.
    pub(crate) fn open(&self, descriptor: i32) -> Option<Open> {
        self.descriptors.get(usize::try_from(descriptor).ok()?).copied().flatten()
    }

    /// Opens a file; returns the lowest free descriptor.
    pub(crate) fn open_file(&mut self, file: usize) -> i32 {
        let open = Some(Open::File { file, position: 0 });
        match self.descriptors.iter().position(Option::is_none) {
            Some(free) => {
                self.descriptors[free] = open;
                free as i32
            }
            None => {
                self.descriptors.push(open);
                self.descriptors.len() as i32 - 1
            }
        }
    }

    /// Closes a descriptor; returns false if it is not open.
    pub(crate) fn close(&mut self, descriptor: i32) -> bool {
        self.slot(descriptor).and_then(Option::take).is_some()
    }

    /// Sets the read position of an open file.
    pub(crate) fn seek(&mut self, descriptor: i32, to: u64) {
        if let Some(Some(Open::File { position, .. })) = self.slot(descriptor) {
            *position = to;
        }
    }

    fn slot(&mut self, descriptor: i32) -> Option<&mut Option<Open>> {
        self.descriptors.get_mut(usize::try_from(descriptor).ok()?)
    }
}
