//! Clusters on servers that ask who somebody is, and that are reached over TLS, with certificates and credentials made
//! for the test.

#[path = "support/nats.rs"]
mod nats;
#[path = "support/processes.rs"]
mod processes;
mod support;
#[path = "support/workbench.rs"]
mod workbench;

use std::process::Command;

use data_encoding::BASE64URL_NOPAD;
use nats::NatsServer;
use nkeys::KeyPair;
use processes::{ends, leaves, start};
use workbench::{Done, Workbench};

const PROGRAM: &str = r#"#include <assert.h>
#include <klee/klee.h>
int main(void) {
  unsigned char in[8];
  int sum = 0;
  klee_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 8; i++)
    if (in[i] > i) sum += i;
  assert(sum != 11);
  return 0;
}
"#;

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("prog.c", PROGRAM);
    bench
}

/// A run with a worker finds the bug.
#[track_caller]
fn works(bench: &Workbench, server: &[&str]) {
    let worker = start(bench, &[&["worker", "--jobs", "1", "--quiet"], server].concat());
    let run = ["cluster", "run", "prog.c", "--collect-only", "--quiet", "--prune", "none", "--out", "out"];
    let done = bench.secateur(&[&run, server].concat());
    assert_eq!(done.code, Some(10), "{done}");
    assert_eq!(bench.json("out/summary.json")["paths"]["completed"], 256);
    leaves(worker);
}

#[track_caller]
fn refused(bench: &Workbench, server: &[&str], sentence: &str) {
    let commands: [&[&str]; 3] = [&["cluster", "status"], &["worker", "--once"], &["cluster", "run", "prog.c"]];
    for command in commands {
        let done: Done = bench.secateur(&[command, server].concat());
        assert_eq!(done.code, Some(1), "{done}");
        assert!(done.stderr.contains(sentence), "{done}");
        assert_eq!(done.stderr.lines().count(), 1, "one sentence: {done}");
    }
}

#[track_caller]
fn openssl(bench: &Workbench, args: &str) {
    let mut command = Command::new("openssl");
    command.args(args.split(' ')).current_dir(bench.path("."));
    let output = command.output().unwrap_or_else(|error| panic!("openssl: {error}: run `scripts/setup.sh tests`"));
    assert!(output.status.success(), "openssl {args}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Makes an authority that signs certificates.
fn make_authority(bench: &Workbench, name: &str) {
    openssl(
        bench,
        &format!(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={name} \
             -keyout {name}.key -out {name}.pem"
        ),
    );
}

/// Makes a certificate for the loopback interface.
fn make_certificate(bench: &Workbench, name: &str, authority: &str) {
    bench.write("alt.cnf", "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
    openssl(
        bench,
        &format!(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN={name} -keyout {name}.key -out \
             {name}.csr"
        ),
    );
    openssl(
        bench,
        &format!(
            "x509 -req -in {name}.csr -CA {authority}.pem -CAkey {authority}.key -CAcreateserial -days 2 -extfile \
             alt.cnf -out {name}.pem"
        ),
    );
}

fn text(bench: &Workbench, name: &str) -> String {
    bench.path(name).display().to_string()
}

#[test]
fn connections_are_secure() {
    let bench = bench();
    make_authority(&bench, "authority");
    make_authority(&bench, "stranger");
    make_certificate(&bench, "server", "authority");
    let (certificate, key) = (text(&bench, "server.pem"), text(&bench, "server.key"));
    let server = NatsServer::with(&["-js", "--tls", "--tlscert", &certificate, "--tlskey", &key]);
    let (secure, plain) = (server.secure_url(), server.url());
    works(&bench, &["--nats", &secure, "--tls-ca", "authority.pem"]);
    works(&bench, &["--nats", &plain, "--tls-ca", "authority.pem"]);
    refused(&bench, &["--nats", &secure], "cannot be reached over TLS");
    refused(&bench, &["--nats", &plain], "cannot be reached over TLS");
    refused(&bench, &["--nats", &secure, "--tls-ca", "stranger.pem"], "cannot be reached over TLS");
    refused(&bench, &["--nats", &secure, "--tls-ca", "nowhere.pem"], "nowhere.pem: No such file");
}

#[test]
fn servers_may_ask_for_a_certificate() {
    let bench = bench();
    make_authority(&bench, "authority");
    make_authority(&bench, "stranger");
    make_certificate(&bench, "server", "authority");
    make_certificate(&bench, "friend", "authority");
    make_certificate(&bench, "foe", "stranger");
    let (certificate, key, ca) =
        (text(&bench, "server.pem"), text(&bench, "server.key"), text(&bench, "authority.pem"));
    let options = ["-js", "--tlsverify", "--tlscert", &certificate, "--tlskey", &key, "--tlscacert", &ca];
    let server = NatsServer::with(&options);
    let url = server.secure_url();
    let common = ["--nats", &url, "--tls-ca", "authority.pem"];
    works(&bench, &[&common[..], &["--tls-cert", "friend.pem", "--tls-key", "friend.key"]].concat());
    refused(&bench, &common, "cannot be reached over TLS");
    let foe = [&common[..], &["--tls-cert", "foe.pem", "--tls-key", "foe.key"]].concat();
    refused(&bench, &foe, "cannot be reached over TLS");
    let missing = [&common[..], &["--tls-cert", "nowhere.pem", "--tls-key", "friend.key"]].concat();
    refused(&bench, &missing, "nowhere.pem: No such file");
}

/// What an issuer says of somebody, signed, in the form that NATS servers read.
fn token(issuer: &KeyPair, subject: &KeyPair, name: &str, claims: &str) -> String {
    let (issued_by, about) = (issuer.public_key(), subject.public_key());
    let body = format!(
        r#"{{"jti":"{name}","iat":1700000000,"iss":"{issued_by}","name":"{name}","sub":"{about}","nats":{{{claims}}}}}"#
    );
    let encode = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
    let signed = format!("{}.{}", encode(r#"{"typ":"JWT","alg":"ed25519-nkey"}"#), encode(&body));
    let signature = issuer.sign(signed.as_bytes()).expect("the issuer has a seed");
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}

fn write_credentials(bench: &Workbench, file: &str, account: &KeyPair) {
    let user = KeyPair::new_user();
    let claims = r#""type":"user","version":2,"subs":-1,"data":-1,"payload":-1,"pub":{},"sub":{}"#;
    let token = token(account, &user, "user", claims);
    let seed = user.seed().expect("it was just made");
    let credentials = format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    bench.write(file, credentials);
}

#[test]
fn credentials_say_who_somebody_is() {
    let bench = bench();
    let (operator, system, account) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let of_operator = format!(r#""type":"operator","version":2,"system_account":"{}""#, system.public_key());
    let account_claims = |disk: i32| {
        format!(
            r#""type":"account","version":2,"limits":{{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1,"mem_storage":{disk},"disk_storage":{disk},"streams":{disk},"consumer":{disk}}}"#
        )
    };
    let config = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n  {}: {}\n  {}: {}\n}}\n",
        token(&operator, &operator, "operator", &of_operator),
        system.public_key(),
        system.public_key(),
        token(&operator, &system, "system", &account_claims(0)),
        account.public_key(),
        token(&operator, &account, "account", &account_claims(-1)),
    );
    bench.write("server.conf", config);
    let server = NatsServer::with(&["-js", "--config", &text(&bench, "server.conf")]);
    let url = server.url();
    write_credentials(&bench, "friend.creds", &account);
    write_credentials(&bench, "foe.creds", &KeyPair::new_account());
    bench.write("empty.creds", "");
    works(&bench, &["--nats", &url, "--creds", "friend.creds"]);
    refused(&bench, &["--nats", &url, "--creds", "foe.creds"], "refuses these credentials");
    refused(&bench, &["--nats", &url], "refuses these credentials");
    refused(&bench, &["--nats", &url, "--creds", "empty.creds"], "empty.creds: ");
}

#[test]
fn names_and_passwords_are_taken_from_the_address() {
    let bench = bench();
    let server = NatsServer::with(&["-js", "--user", "me", "--pass", "sec/ret"]);
    let url = |name: &str, password: &str| server.url().replace("//", &format!("//{name}:{password}@"));
    works(&bench, &["--nats", &url("me", "sec%2Fret")]);
    let wrong = url("me", "wrong");
    let sentence = format!("{}: the NATS server refuses these credentials", server.url());
    refused(&bench, &["--nats", &wrong], &sentence);
    let run = start(&bench, &["worker", "--once", "--quiet", "--nats", &wrong]);
    assert_eq!(ends(run), Some(1));
}
