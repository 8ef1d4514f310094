//! A NATS server of its own for each test, on a free port of the loopback interface.

#![allow(dead_code)] // Each test binary uses a part of it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server. It ends with the test.
pub struct NatsServer {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
    options: Vec<String>,
}

impl NatsServer {
    /// A server with JetStream.
    pub fn start() -> NatsServer {
        NatsServer::with(&["-js"])
    }

    /// A server with these options.
    pub fn with(options: &[&str]) -> NatsServer {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        // Another process may take a port between finding it and using it.
        for _ in 0..5 {
            let port = free_port();
            if let Some(process) = serve(port, folder.path(), &options) {
                return NatsServer { process, port, folder, options };
            }
        }
        panic!("nats-server does not start with {options:?}");
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Its address for connections over TLS.
    pub fn secure_url(&self) -> String {
        format!("tls://127.0.0.1:{}", self.port)
    }

    /// Publishes a message, as the administrator of the server might.
    pub fn publish(&self, subject: &str, message: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        let commands =
            format!("CONNECT {{\"verbose\":false}}\r\nPUB {subject} nobody {}\r\n{message}\r\nPING\r\n", message.len());
        stream.write_all(commands.as_bytes()).expect("the server reads");
        let mut answers = BufReader::new(stream).lines().map_while(Result::ok);
        assert!(answers.any(|answer| answer == "PONG"), "the server has taken the message");
    }

    /// Kills it and starts it again, with what it has stored.
    pub fn restart(&mut self, pause: Duration) {
        self.kill();
        std::thread::sleep(pause);
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            if let Some(process) = serve(self.port, self.folder.path(), &self.options) {
                self.process = process;
                return;
            }
        }
        panic!("nats-server does not start again on port {}", self.port);
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An address at which nobody listens.
pub fn nowhere() -> String {
    format!("nats://127.0.0.1:{}", free_port())
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has an address").port()
}

fn serve(port: u16, folder: &Path, options: &[String]) -> Option<Child> {
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder).args(options);
    let mut process = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("nats-server cannot be started ({error}): run `scripts/setup.sh tests`"));
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(process);
        }
        if process.try_wait().ok()?.is_some() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = process.kill();
    let _ = process.wait();
    None
}
