//! What can go wrong with a cluster, a sentence each.

/// Why something about a cluster does not work.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClusterError {
    /// Nobody answers.
    #[error("{url}: no NATS server answers there ({reason}); start one with: nats-server -js")]
    NoServer {
        /// The address.
        url: String,
        /// What the system says.
        reason: String,
    },
    /// The address makes no sense.
    #[error("{url}: this is no address of a NATS server; one looks like nats://127.0.0.1:4222")]
    Address {
        /// The address.
        url: String,
    },
    /// The server does not let us in.
    #[error(
        "{url}: the NATS server refuses these credentials; give others with --creds, --token, or as nats://USER:PASSWORD@HOST"
    )]
    Credentials {
        /// The address.
        url: String,
    },
    /// The connection cannot be made secure.
    #[error(
        "{url}: the server cannot be reached over TLS ({reason}); --tls-ca names the certificate that it is signed with"
    )]
    Tls {
        /// The address.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be used.
    #[error("{file}: {reason}")]
    File {
        /// The file.
        file: String,
        /// Why not.
        reason: String,
    },
    /// The server has no JetStream.
    #[error("{url}: this NATS server runs without JetStream; start it with: nats-server -js")]
    NoJetStream {
        /// The address.
        url: String,
    },
    /// There is no such run.
    #[error("there is no run `{0}` on this server; `secateur cluster status` lists those that there are")]
    UnknownRun(String),
    /// There is no run at all.
    #[error("there is no run on this server; start one with `secateur cluster run`")]
    NoRun,
    /// There is more than one run that could be meant.
    #[error("there are several runs on this server; name one with --run: {0}")]
    SeveralRuns(String),
    /// There is a run of this name.
    #[error(
        "there is a run `{0}` already on this server; remove it with `secateur cluster gc --run {0}`, or choose another name with --run"
    )]
    RunExists(String),
    /// A name cannot be one.
    #[error("`{0}` cannot be the name of a run: letters, digits and `-`, at most 64, are")]
    RunName(String),
    /// Another version has begun the run.
    #[error("the run `{run}` was begun by another version of Secateur ({version}), and only that one can work for it")]
    Version {
        /// The run.
        run: String,
        /// The version, or what is known of it.
        version: String,
    },
    /// The server has no room left.
    #[error(
        "the server has no room left for the run `{run}` ({reason}); give it more (--max-stream, or max_file_store of the server), then `secateur cluster resume`"
    )]
    Full {
        /// The run.
        run: String,
        /// What the server says.
        reason: String,
    },
    /// What is stored makes no sense.
    #[error("the run `{0}` is damaged on the server; begin it anew")]
    Damaged(String),
    /// The server fails in some other way.
    #[error("the NATS server: {0}")]
    Server(String),
    /// The caller cannot do what the run asks for.
    #[error("{0}")]
    Setup(String),
}
