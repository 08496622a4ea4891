//! Secrets: none is stored in clear text, in a table or a file, or shown by `Debug`.

use toolkit_store::Receipt;

use crate::helpers::{Fixture, Home, NOW, contact, label, on_each_backend};

#[tokio::test]
async fn no_key_token_or_challenge_can_be_read_from_the_database() {
    on_each_backend(async |f: &Fixture| {
        let (_, key) = f
            .store
            .keys()
            .issue(&label("l"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let challenge = "0.challenge-canary";
        let receipt =
            f.store.contacts().receive(contact("message-canary"), Some(challenge), NOW).await;
        assert!(matches!(receipt, Ok(Receipt::Stored(_))));
        f.deliver(NOW).await;
        let mail = f.confirmation("ada@example.org", "weekly", NOW).await;
        f.store
            .subscriptions()
            .press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW)
            .await
            .unwrap();

        let kept = everything_stored(f).await;
        let contains =
            |word: &str| kept.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(contains("message-canary"), "the search finds what is there");
        let [key, confirm, unsubscribe] =
            [key.expose(), mail.confirm.expose(), mail.unsubscribe.expose()];
        for secret in [key, &key[3..46], confirm, unsubscribe, challenge] {
            assert!(!contains(secret), "{secret}");
        }
        for token in [confirm, unsubscribe] {
            let bytes = data_encoding::BASE64URL_NOPAD.decode(token.as_bytes()).unwrap();
            assert!(!kept.windows(32).any(|window| window == bytes));
        }
    })
    .await;
}

/// Returns every byte of the files of SQLite, or every row of PostgreSQL as text.
async fn everything_stored(f: &Fixture) -> Vec<u8> {
    if let Home::Sqlite(folder) = &f.home {
        let files = std::fs::read_dir(folder.path()).unwrap();
        return files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
    }
    let mut raw = f.raw().await;
    let sql = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()";
    let mut rows = Vec::new();
    for table in raw.texts(sql).await {
        rows.extend(raw.texts(&format!("SELECT t::text FROM {table} t")).await);
    }
    rows.concat().into_bytes()
}
