/**
 * The words of mails. `{name}` is the registry's, `{origin}` the address of its site, `{minutes}` the lifetime of a
 * code.
 */
interface MailTexts {
  readonly signIn: Purpose
  readonly addition: Purpose
  /** The label of the link, which has the same effect as the code. */
  readonly button: string
  /** States that the code works only in the requesting browser. */
  readonly sameDevice: string
  /** The lifetime of the code, and the advice to keep it secret. */
  readonly validity: string
  /** Advice for a code that somebody else requested. */
  readonly unasked: string
  /** The sender's line. */
  readonly sender: string
  readonly notice: Notice
  readonly digest: DigestTexts
}

/** Notice of an added or removed way to sign in or token. */
interface Notice {
  readonly subject: string
  readonly added: string
  readonly removed: string
  readonly token: string
  readonly passkey: string
  readonly provider: string
  readonly address: string
  /** Advice for a change by somebody else, followed by the address of the account's page. */
  readonly unasked: string
  readonly sender: string
}

/** Digests, and the page that ends them. */
interface DigestTexts {
  readonly subject: string
  readonly lead: string
  /** The length of the queue, followed by its address. */
  readonly waiting: string
  /** Followed by the address of the page with the rest. */
  readonly more: string
  /** Followed by the same address, where the mail has all. */
  readonly all: string
  /** Followed by the address of the page that ends them. */
  readonly end: string
  readonly sender: string
  readonly stopTitle: string
  readonly stopLead: string
  readonly stop: string
  readonly stopped: string
}

interface Purpose {
  readonly subject: string
  readonly lead: string
}

const texts = {
  en: {
    signIn: { subject: 'Your code for {name}', lead: 'This code signs you in to {name}:' },
    addition: {
      subject: 'Confirm your address for {name}',
      lead: 'This code adds this address to your account at {name}:',
    },
    button: 'Continue',
    sameDevice: 'It works only in the browser in which you asked for it. The link does the same as the code.',
    validity: 'It is valid for {minutes} minutes. Nobody from {name} will ever ask you for it.',
    unasked:
      'You did not ask for it? Then somebody entered your address. You need not do anything: without this e-mail nobody can sign in.',
    sender: '{name} sent you this because your address was entered at {origin}.',
    notice: {
      subject: 'Your account at {name} was changed',
      added: 'This was added to your account at {name}:',
      removed: 'This was removed from your account at {name}:',
      token: 'Personal token',
      passkey: 'Passkey',
      provider: 'Provider',
      address: 'Address',
      unasked: 'Was it not you? Then sign out everywhere else, and remove what you do not know:',
      sender: '{name} sent you this because this address signs in, or signed in, to an account at {origin}.',
    },
    digest: {
      subject: 'What happened at {name}',
      lead: 'This happened to what you follow at {name}:',
      waiting: 'Waiting for moderators: {count}',
      more: 'More has happened. All of it, and what you follow:',
      all: 'See all of it, and what you follow:',
      end: 'Stop these mails:',
      sender: '{name} sent you this because your account at {origin} follows this by mail.',
      stopTitle: 'Stop mails from {name}',
      stopLead: 'You will get no more of these mails. You go on following the same, and see it at {name}.',
      stop: 'Stop these mails',
      stopped: 'You will get no more of these mails from {name}.',
    },
  },
  de: {
    signIn: { subject: 'Dein Code für {name}', lead: 'Mit diesem Code meldest du dich bei {name} an:' },
    addition: {
      subject: 'Bestätige deine Adresse für {name}',
      lead: 'Mit diesem Code fügst du diese Adresse deinem Konto bei {name} hinzu:',
    },
    button: 'Weiter',
    sameDevice:
      'Er gilt nur in dem Browser, in dem du ihn angefordert hast. Der Link tut dasselbe wie der Code.',
    validity: 'Er verfällt nach {minutes} Minuten. Niemand von {name} wird dich je danach fragen.',
    unasked:
      'Du hast ihn nicht angefordert? Dann hat jemand deine Adresse eingegeben. Du musst nichts tun: Ohne diese E-Mail kann sich niemand anmelden.',
    sender: '{name} schickt dir das, weil deine Adresse auf {origin} eingegeben wurde.',
    notice: {
      subject: 'Dein Konto bei {name} wurde geändert',
      added: 'Das kam zu deinem Konto bei {name} hinzu:',
      removed: 'Das wurde aus deinem Konto bei {name} entfernt:',
      token: 'Persönliches Token',
      passkey: 'Passkey',
      provider: 'Anbieter',
      address: 'Adresse',
      unasked: 'Du warst das nicht? Dann melde dich überall sonst ab und entferne, was du nicht kennst:',
      sender:
        '{name} schickt dir das, weil man sich mit dieser Adresse bei einem Konto auf {origin} anmeldet oder angemeldet hat.',
    },
    digest: {
      subject: 'Was bei {name} geschehen ist',
      lead: 'Das ist mit dem geschehen, dem du bei {name} folgst:',
      waiting: 'Warten auf die Moderation: {count}',
      more: 'Es ist noch mehr geschehen. Alles, und wem du folgst:',
      all: 'Alles, und wem du folgst:',
      end: 'Diese E-Mails beenden:',
      sender: '{name} schickt dir das, weil dein Konto auf {origin} dem per E-Mail folgt.',
      stopTitle: 'E-Mails von {name} beenden',
      stopLead:
        'Du bekommst diese E-Mails dann nicht mehr. Du folgst weiterhin demselben und siehst es bei {name}.',
      stop: 'E-Mails beenden',
      stopped: 'Du bekommst diese E-Mails von {name} nicht mehr.',
    },
  },
  es: {
    signIn: { subject: 'Tu código para {name}', lead: 'Con este código inicias sesión en {name}:' },
    addition: {
      subject: 'Confirma tu dirección para {name}',
      lead: 'Con este código añades esta dirección a tu cuenta de {name}:',
    },
    button: 'Continuar',
    sameDevice: 'Solo funciona en el navegador en el que lo pediste. El enlace hace lo mismo que el código.',
    validity: 'Vale durante {minutes} minutos. Nadie de {name} te lo pedirá nunca.',
    unasked:
      '¿No lo has pedido? Entonces alguien ha escrito tu dirección. No tienes que hacer nada: sin este correo nadie puede iniciar sesión.',
    sender: '{name} te envía este correo porque se escribió tu dirección en {origin}.',
    notice: {
      subject: 'Tu cuenta de {name} ha cambiado',
      added: 'Se ha añadido a tu cuenta de {name}:',
      removed: 'Se ha quitado de tu cuenta de {name}:',
      token: 'Token personal',
      passkey: 'Clave de acceso',
      provider: 'Proveedor',
      address: 'Dirección',
      unasked:
        '¿No has sido tú? Entonces cierra la sesión en todos los demás sitios y quita lo que no conozcas:',
      sender:
        '{name} te envía este correo porque con esta dirección se inicia o se iniciaba sesión en una cuenta de {origin}.',
    },
    digest: {
      subject: 'Novedades en {name}',
      lead: 'Esto ha pasado con lo que sigues en {name}:',
      waiting: 'En espera de moderación: {count}',
      more: 'Han pasado más cosas. Todas ellas, y lo que sigues:',
      all: 'Todo ello, y lo que sigues:',
      end: 'Dejar de recibir estos correos:',
      sender: '{name} te envía este correo porque tu cuenta en {origin} sigue esto por correo.',
      stopTitle: 'Dejar de recibir correos de {name}',
      stopLead: 'No recibirás más estos correos. Seguirás lo mismo y lo verás en {name}.',
      stop: 'Dejar de recibirlos',
      stopped: 'Ya no recibirás estos correos de {name}.',
    },
  },
  fr: {
    signIn: { subject: 'Ton code pour {name}', lead: 'Ce code te connecte à {name} :' },
    addition: {
      subject: 'Confirme ton adresse pour {name}',
      lead: 'Ce code ajoute cette adresse à ton compte sur {name} :',
    },
    button: 'Continuer',
    sameDevice:
      'Il ne fonctionne que dans le navigateur où tu l’as demandé. Le lien fait la même chose que le code.',
    validity: 'Il est valable {minutes} minutes. Personne de {name} ne te le demandera jamais.',
    unasked:
      'Tu ne l’as pas demandé ? Alors quelqu’un a saisi ton adresse. Tu n’as rien à faire : sans cet e-mail, personne ne peut se connecter.',
    sender: '{name} t’envoie cet e-mail parce que ton adresse a été saisie sur {origin}.',
    notice: {
      subject: 'Ton compte sur {name} a changé',
      added: 'Ajout à ton compte sur {name} :',
      removed: 'Retrait de ton compte sur {name} :',
      token: 'Jeton personnel',
      passkey: 'Clé d’accès',
      provider: 'Fournisseur',
      address: 'Adresse',
      unasked:
        'Ce n’était pas toi ? Alors déconnecte-toi partout ailleurs et retire ce que tu ne connais pas :',
      sender:
        '{name} t’envoie cet e-mail parce que cette adresse connecte, ou connectait, à un compte sur {origin}.',
    },
    digest: {
      subject: 'Du nouveau sur {name}',
      lead: 'Voici ce qui est arrivé à ce que tu suis sur {name} :',
      waiting: 'En attente de modération : {count}',
      more: 'Il y a encore d’autres nouvelles. Toutes, et ce que tu suis :',
      all: 'Toutes les nouvelles, et ce que tu suis :',
      end: 'Ne plus recevoir ces e-mails :',
      sender: '{name} t’envoie cet e-mail parce que ton compte sur {origin} suit cela par e-mail.',
      stopTitle: 'Ne plus recevoir d’e-mails de {name}',
      stopLead: 'Tu ne recevras plus ces e-mails. Tu suivras toujours la même chose et la verras sur {name}.',
      stop: 'Ne plus les recevoir',
      stopped: 'Tu ne recevras plus ces e-mails de {name}.',
    },
  },
  it: {
    signIn: { subject: 'Il tuo codice per {name}', lead: 'Con questo codice accedi a {name}:' },
    addition: {
      subject: 'Conferma il tuo indirizzo per {name}',
      lead: 'Con questo codice aggiungi questo indirizzo al tuo account di {name}:',
    },
    button: 'Continua',
    sameDevice: 'Funziona solo nel browser in cui l’hai richiesto. Il link fa la stessa cosa del codice.',
    validity: 'Vale {minutes} minuti. Nessuno di {name} te lo chiederà mai.',
    unasked:
      'Non l’hai richiesto tu? Allora qualcuno ha inserito il tuo indirizzo. Non devi fare nulla: senza questa e-mail nessuno può accedere.',
    sender: '{name} ti ha inviato questa e-mail perché il tuo indirizzo è stato inserito su {origin}.',
    notice: {
      subject: 'Il tuo account di {name} è cambiato',
      added: 'Aggiunto al tuo account di {name}:',
      removed: 'Rimosso dal tuo account di {name}:',
      token: 'Token personale',
      passkey: 'Passkey',
      provider: 'Fornitore',
      address: 'Indirizzo',
      unasked: 'Non sei stato tu? Allora esci da tutti gli altri dispositivi e rimuovi ciò che non conosci:',
      sender:
        '{name} ti ha inviato questa e-mail perché con questo indirizzo si accede, o si accedeva, a un account su {origin}.',
    },
    digest: {
      subject: 'Novità su {name}',
      lead: 'Ecco che cosa è successo a ciò che segui su {name}:',
      waiting: 'In attesa di moderazione: {count}',
      more: 'È successo anche altro. Tutto, e ciò che segui:',
      all: 'Tutto, e ciò che segui:',
      end: 'Non ricevere più queste e-mail:',
      sender: '{name} ti ha inviato questa e-mail perché il tuo account su {origin} segue questo via e-mail.',
      stopTitle: 'Non ricevere più e-mail da {name}',
      stopLead:
        'Non riceverai più queste e-mail. Continuerai a seguire le stesse cose e le vedrai su {name}.',
      stop: 'Non riceverle più',
      stopped: 'Non riceverai più queste e-mail da {name}.',
    },
  },
} as const satisfies Readonly<Record<string, MailTexts>>

export type MailLanguage = keyof typeof texts

export const mailLanguages = Object.keys(texts)

const isLanguage = (tag: string): tag is MailLanguage => Object.hasOwn(texts, tag)

/** The language of mails for a tag such as `de-AT`; English if there is none. */
export function languageOf(tag: string | undefined): MailLanguage {
  const [language = ''] = (tag ?? '').toLowerCase().split('-')
  return isLanguage(language) ? language : 'en'
}

export const textsIn = (language: MailLanguage): MailTexts => texts[language]
