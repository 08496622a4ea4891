//! Texts of mails and pages for the public, in the languages of apps.
//!
//! `{{name}}` is filled in once: what is filled in is not looked at again.

use toolkit_server::settings::Language;

/// The texts of a language.
pub(crate) struct Texts {
    /// The language tag (RFC 5646).
    pub(crate) tag: &'static str,
    /// A newsletter with a name, and one without.
    named: &'static str,
    unnamed: &'static str,
    pub(crate) confirm_subject: &'static str,
    pub(crate) confirm_text: &'static str,
    pub(crate) unsubscribe_text: &'static str,
    pub(crate) sender_text: &'static str,
    pub(crate) confirm: Page,
    pub(crate) unsubscribe: Page,
    /// After a confirmation.
    pub(crate) links_in_mails: &'static str,
    /// An address of which nothing is stored any more.
    pub(crate) gone: &'static str,
    pub(crate) form: Form,
}

/// The pages after a form.
pub(crate) struct Form {
    pub(crate) sent_title: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) asked_title: &'static str,
    pub(crate) asked: &'static str,
    pub(crate) refused_title: &'static str,
    pub(crate) send: &'static str,
    /// Of name, address, subject and message.
    labels: [&'static str; 4],
    pub(crate) name_wrong: &'static str,
    pub(crate) email_wrong: &'static str,
    pub(crate) subject_wrong: &'static str,
    pub(crate) message_wrong: &'static str,
    pub(crate) check_wrong: &'static str,
    pub(crate) too_many: &'static str,
    pub(crate) unavailable: &'static str,
}

impl Form {
    /// The label of a field.
    pub(crate) fn label(&self, field: &str) -> &'static str {
        let [name, email, subject, message] = self.labels;
        match field {
            "name" => name,
            "email" => email,
            "subject" => subject,
            _ => message,
        }
    }
}

/// The page of a link: before its button is pressed, and after.
pub(crate) struct Page {
    pub(crate) title: &'static str,
    pub(crate) question: &'static str,
    pub(crate) button: &'static str,
    pub(crate) done_title: &'static str,
    pub(crate) done: &'static str,
}

impl Texts {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::De => &DE,
            Language::Fr => &FR,
        }
    }

    /// A newsletter, in the middle of a sentence.
    pub(crate) fn newsletter(&self, name: Option<&str>) -> String {
        match name {
            Some(name) => fill(self.named, |_| name),
            None => self.unnamed.to_owned(),
        }
    }
}

/// Fills in the names of a text. What is not a name stays.
pub(crate) fn fill<'v>(text: &str, value: impl Fn(&str) -> &'v str) -> String {
    let mut parts = text.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("}}") {
            Some((name, rest)) => filled.extend([value(name), rest]),
            None => filled.extend(["{{", part]),
        }
    }
    filled
}

static EN: Texts = Texts {
    tag: "en",
    named: "the newsletter “{{name}}”",
    unnamed: "a newsletter",
    confirm_subject: "Please confirm your subscription",
    confirm_text: "Somebody, probably you, asked for {{app}} to be sent to this address.\n\n\
        If you want it, open this page within 48 hours and press its button:\n{{link}}\n\n\
        If not, there is nothing to do: without your confirmation nothing is sent.",
    unsubscribe_text: "To unsubscribe, now or later:\n{{link}}",
    sender_text: "This mail comes from {{service}}, {{address}}.",
    confirm: Page {
        title: "Confirm your subscription",
        question: "Shall {{address}} get {{app}}? Nothing is sent before you confirm.",
        button: "Confirm the subscription",
        done_title: "Your subscription is confirmed",
        done: "{{address}} gets {{app}}.",
    },
    unsubscribe: Page {
        title: "Unsubscribe",
        question: "Shall {{address}} no longer get {{app}}?",
        button: "Unsubscribe",
        done_title: "You are unsubscribed",
        done: "{{address}} no longer gets {{app}}.",
    },
    links_in_mails: "Each mail has a link to unsubscribe.",
    gone: "Nothing is sent to this address any more.",
    form: Form {
        sent_title: "Your message was sent",
        sent: "Thank you. It is answered by e-mail.",
        asked_title: "Please look into your mailbox",
        asked: "A mail with a link is on its way, if one is needed. Open it within 48 hours to confirm.",
        refused_title: "This was not sent",
        send: "Send again",
        labels: ["Name", "E-mail address", "Subject (optional)", "Message"],
        name_wrong: "Please enter your name, on one line of at most 200 characters.",
        email_wrong: "Please enter an e-mail address, such as name@example.org.",
        subject_wrong: "The subject may have at most 200 characters, on one line.",
        message_wrong: "Please enter a message of at most 10,000 characters.",
        check_wrong: "The check that a person sends this is missing, or has expired. It needs JavaScript. Copy what you wrote, go back to the form, reload it and send it again.",
        too_many: "Too much was sent from your network. Please wait a minute and send it again.",
        unavailable: "This cannot be stored at the moment. Please send it again in a few minutes.",
    },
};

static DE: Texts = Texts {
    tag: "de",
    named: "den Newsletter „{{name}}“",
    unnamed: "einen Newsletter",
    confirm_subject: "Bitte bestätigen Sie Ihr Abonnement",
    confirm_text: "Jemand, vermutlich Sie selbst, möchte an diese Adresse {{app}} erhalten.\n\n\
        Wenn Sie das möchten, öffnen Sie innerhalb von 48 Stunden diese Seite und drücken Sie dort den Knopf:\n{{link}}\n\n\
        Wenn nicht, brauchen Sie nichts zu tun: Ohne Ihre Bestätigung wird nichts verschickt.",
    unsubscribe_text: "Zum Abbestellen, jetzt oder später:\n{{link}}",
    sender_text: "Diese E-Mail kommt von {{service}}, {{address}}.",
    confirm: Page {
        title: "Abonnement bestätigen",
        question: "Soll {{address}} {{app}} erhalten? Vor Ihrer Bestätigung wird nichts verschickt.",
        button: "Abonnement bestätigen",
        done_title: "Ihr Abonnement ist bestätigt",
        done: "{{address}} erhält {{app}}.",
    },
    unsubscribe: Page {
        title: "Abbestellen",
        question: "Soll {{address}} {{app}} nicht mehr erhalten?",
        button: "Abbestellen",
        done_title: "Sie sind abgemeldet",
        done: "{{address}} erhält {{app}} nicht mehr.",
    },
    links_in_mails: "Jede E-Mail enthält einen Link zum Abbestellen.",
    gone: "An diese Adresse wird nichts mehr verschickt.",
    form: Form {
        sent_title: "Ihre Nachricht wurde gesendet",
        sent: "Vielen Dank. Die Antwort kommt per E-Mail.",
        asked_title: "Bitte sehen Sie in Ihr Postfach",
        asked: "Eine E-Mail mit einem Link ist unterwegs, falls nötig. Öffnen Sie ihn innerhalb von 48 Stunden, um zu bestätigen.",
        refused_title: "Das wurde nicht gesendet",
        send: "Noch einmal senden",
        labels: ["Name", "E-Mail-Adresse", "Betreff (freiwillig)", "Nachricht"],
        name_wrong: "Bitte geben Sie Ihren Namen ein, in einer Zeile von höchstens 200 Zeichen.",
        email_wrong: "Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.org.",
        subject_wrong: "Der Betreff darf höchstens 200 Zeichen in einer Zeile haben.",
        message_wrong: "Bitte geben Sie eine Nachricht von höchstens 10.000 Zeichen ein.",
        check_wrong: "Die Prüfung, dass ein Mensch dies sendet, fehlt oder ist abgelaufen. Sie braucht JavaScript. Kopieren Sie Ihren Text, gehen Sie zurück zum Formular, laden Sie es neu und senden Sie es noch einmal.",
        too_many: "Aus Ihrem Netz wurde zu viel gesendet. Bitte warten Sie eine Minute und senden Sie es noch einmal.",
        unavailable: "Das kann gerade nicht gespeichert werden. Bitte senden Sie es in einigen Minuten noch einmal.",
    },
};

static FR: Texts = Texts {
    tag: "fr",
    named: "la lettre d’information « {{name}} »",
    unnamed: "une lettre d’information",
    confirm_subject: "Veuillez confirmer votre abonnement",
    confirm_text: "Quelqu’un, sans doute vous, a demandé à recevoir {{app}} à cette adresse.\n\n\
        Si vous le souhaitez, ouvrez cette page dans les 48 heures et appuyez sur son bouton :\n{{link}}\n\n\
        Sinon, vous n’avez rien à faire : sans votre confirmation, rien n’est envoyé.",
    unsubscribe_text: "Pour vous désabonner, maintenant ou plus tard :\n{{link}}",
    sender_text: "Ce message vient de {{service}}, {{address}}.",
    confirm: Page {
        title: "Confirmer votre abonnement",
        question: "L’adresse {{address}} doit-elle recevoir {{app}} ? Rien n’est envoyé avant votre confirmation.",
        button: "Confirmer l’abonnement",
        done_title: "Votre abonnement est confirmé",
        done: "{{address}} reçoit {{app}}.",
    },
    unsubscribe: Page {
        title: "Se désabonner",
        question: "L’adresse {{address}} ne doit-elle plus recevoir {{app}} ?",
        button: "Se désabonner",
        done_title: "Vous êtes désabonné",
        done: "{{address}} ne reçoit plus {{app}}.",
    },
    links_in_mails: "Chaque message contient un lien de désabonnement.",
    gone: "Plus rien n’est envoyé à cette adresse.",
    form: Form {
        sent_title: "Votre message a été envoyé",
        sent: "Merci. La réponse vous parviendra par courriel.",
        asked_title: "Veuillez consulter votre messagerie",
        asked: "Un message contenant un lien est en route, s’il est nécessaire. Ouvrez-le dans les 48 heures pour confirmer.",
        refused_title: "Rien n’a été envoyé",
        send: "Envoyer à nouveau",
        labels: ["Nom", "Adresse électronique", "Objet (facultatif)", "Message"],
        name_wrong: "Veuillez saisir votre nom, sur une ligne de 200 caractères au plus.",
        email_wrong: "Veuillez saisir une adresse électronique, par exemple nom@example.org.",
        subject_wrong: "L’objet peut avoir 200 caractères au plus, sur une ligne.",
        message_wrong: "Veuillez saisir un message de 10 000 caractères au plus.",
        check_wrong: "La vérification qu’une personne envoie ceci manque ou a expiré. Elle a besoin de JavaScript. Copiez votre texte, revenez au formulaire, rechargez-le et envoyez-le à nouveau.",
        too_many: "Trop de messages ont été envoyés depuis votre réseau. Veuillez attendre une minute, puis recommencer.",
        unavailable: "Ceci ne peut pas être enregistré pour le moment. Veuillez recommencer dans quelques minutes.",
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        let value = |name: &str| if name == "a" { "{{b}}" } else { "x" };
        assert_eq!(fill("{{a}} {{b}} {{", value), "{{b}} x {{");
    }

    #[test]
    fn every_language_has_the_link_in_its_mails() {
        for texts in [&EN, &DE, &FR] {
            for text in [texts.confirm_text, texts.unsubscribe_text] {
                assert!(text.contains("{{link}}"), "{text}");
            }
            assert!(texts.newsletter(Some("News")).contains("News"));
        }
    }
}
