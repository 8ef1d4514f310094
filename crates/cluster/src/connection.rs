//! The connection to the NATS server.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::context::AccountErrorKind;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::runtime::{Builder, Runtime};

use crate::error::ClusterError;

/// How long to wait for an answer of the server. This is a constant because whatever fails is tried again.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait between two attempts to connect again, at most. This is a constant because it affects only how soon
/// a server that was away is noticed.
const LONGEST_DELAY: Duration = Duration::from_millis(500);

/// Where the server is, and who we are.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Its address.
    pub url: String,
    /// A file of NATS credentials.
    pub creds: Option<PathBuf>,
    /// A token.
    pub token: Option<String>,
    /// The certificate that the server's is signed with. With it, the connection has to be secure.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate and its key, if the server wants one.
    pub tls_identity: Option<(PathBuf, PathBuf)>,
}

/// A connection. It is shared by all threads, and comes back by itself when the server does.
pub struct Server {
    // Dropped last, as the client uses it.
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    /// The address.
    pub url: String,
    runtime: Runtime,
}

impl Server {
    /// Connects. `say` is told when the server goes away and comes back.
    pub fn connect(
        options: &ServerOptions,
        say: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Arc<Server>, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("nats").enable_all().build();
        let runtime = runtime.map_err(|error| ClusterError::Server(error.to_string()))?;
        let url = options.url.clone();
        let client = runtime.block_on(connect(options, say))?;
        let entered = runtime.enter();
        let mut jetstream = jetstream::new(client.clone());
        jetstream.set_timeout(TIMEOUT);
        drop(entered);
        let server = Server { client, jetstream, url, runtime };
        if !server.block_on(server.has_jetstream()) {
            return Err(ClusterError::NoJetStream { url: shown(&server.url) });
        }
        Ok(Arc::new(server))
    }

    /// Waits for something that the server does.
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Whether the server is there.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Whether JetStream answers. Older servers do not say all that the library wants to know, but they answer.
    pub(crate) async fn has_jetstream(&self) -> bool {
        match self.jetstream.query_account().await {
            Ok(_) => true,
            Err(error) => matches!(error.kind(), AccountErrorKind::Other),
        }
    }

    /// What belongs to the connection may be dropped only while this is kept.
    pub(crate) fn enter(&self) -> tokio::runtime::EnterGuard<'_> {
        self.runtime.enter()
    }

    /// Does something in the background.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(future)
    }
}

async fn connect(options: &ServerOptions, say: impl Fn(&str) + Send + Sync + 'static) -> Result<Client, ClusterError> {
    let url = shown(&options.url);
    let away = std::sync::atomic::AtomicBool::new(false);
    let say = Arc::new((say, away));
    let on_event = move |event| {
        let say = Arc::clone(&say);
        async move {
            let (say, away) = (&say.0, &say.1);
            use std::sync::atomic::Ordering::Relaxed;
            match event {
                Event::Disconnected if !away.swap(true, Relaxed) => {
                    say("the NATS server is gone; waiting for it to come back");
                }
                Event::Connected if away.swap(false, Relaxed) => say("the NATS server is back"),
                _ => {}
            }
        }
    };
    let delay = |attempts: usize| LONGEST_DELAY.min(Duration::from_millis(20) * attempts as u32);
    let mut connect = ConnectOptions::new()
        .name("secateur")
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .max_reconnects(None)
        .reconnect_delay_callback(delay)
        .event_callback(on_event);
    let unusable = |file: &Path, error: std::io::Error| ClusterError::File {
        file: file.display().to_string(),
        reason: error.to_string(),
    };
    if let Some(file) = &options.creds {
        let credentials = std::fs::read_to_string(file).map_err(|error| unusable(file, error))?;
        connect = connect.credentials(&credentials).map_err(|error| unusable(file, error))?;
    }
    // The library says of a file that it cannot read only that the connection failed.
    let identity = options.tls_identity.iter().flat_map(|(certificate, key)| [certificate, key]);
    for file in options.tls_ca.iter().chain(identity) {
        std::fs::read(file).map_err(|error| unusable(file, error))?;
    }
    // The library reads who we are in an address and then forgets it.
    if let Ok(address) = options.url.parse::<ServerAddr>() {
        connect = match (address.username().map(unescaped), address.password().map(unescaped)) {
            (Some(user), Some(password)) => connect.user_and_password(user, password),
            (Some(token), None) => connect.token(token),
            (None, _) => connect,
        };
    }
    if let Some(token) = &options.token {
        connect = connect.token(token.clone());
    }
    if let Some(file) = &options.tls_ca {
        connect = connect.add_root_certificates(file.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.tls_identity {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    connect.connect(&options.url).await.map_err(|error| {
        let reason = || reason(&error);
        match error.kind() {
            ConnectErrorKind::ServerParse => ClusterError::Address { url },
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                ClusterError::Credentials { url }
            }
            _ if is_about_tls(&error) => ClusterError::Tls { url, reason: reason() },
            _ => ClusterError::NoServer { url, reason: reason() },
        }
    })
}

/// Whether an error is about certificates or keys. What the library for TLS says arrives as data that make no sense.
fn is_about_tls(error: &ConnectError) -> bool {
    let mut causes = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    error.kind() == ConnectErrorKind::Tls
        || causes.any(|cause| {
            let io = cause.downcast_ref::<std::io::Error>();
            io.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
        })
}

/// A part of an address with its escapes, such as `%40`, replaced.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let escape = text.get(text.len() - others.len()..).and_then(|escape| escape.get(..2));
        match escape.filter(|_| *first == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The innermost reason of an error, as a part of a sentence.
pub(crate) fn reason(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// An address without its password.
fn shown(url: &str) -> String {
    match (url.find("://"), url.rfind('@')) {
        (Some(scheme), Some(host)) if host > scheme => format!("{}://{}", &url[..scheme], &url[host + 1..]),
        _ => url.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced() {
        assert_eq!(unescaped("p%40ss%2Fw%C3%B6rd"), "p@ss/wörd");
        assert_eq!((unescaped("100%"), unescaped("%zz%4"), unescaped("")), ("100%".into(), "%zz%4".into(), "".into()));
    }

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(shown("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(shown("tls://host:4222"), "tls://host:4222");
        assert_eq!(shown("host"), "host");
    }
}
