import type { Language } from './places/labels.ts'
import type { DecidedReport, Teller } from './schemas/follow.ts'
import type { WaypointEvent } from './waypoint-events.ts'

/** Names of events and of their authors, for notifications, mails and feeds. */
export type HappenedWords = {
  /** `person` is one without a name. */
  readonly by: Readonly<Record<Teller, string>>
  readonly event: Readonly<Record<WaypointEvent, string>>
  /** Decisions about one's own report. */
  readonly report: Readonly<Record<DecidedReport['state'], string>>
}

export const happenedWords: Readonly<Record<Language, HappenedWords>> = {
  en: {
    by: {
      person: 'a former contributor',
      moderator: 'a moderator',
      program: 'a program',
      observer: 'somebody at the fountain',
    },
    event: {
      created: 'New',
      edited: 'Edited',
      moved: 'Moved',
      removed: 'Removed',
      restored: 'Restored',
      merged: 'Merged with another',
      approved: 'Approved',
      unapproved: 'No longer approved',
      verified: 'Verified',
      unverified: 'No longer verified',
      broken: 'Gives no water',
      works: 'Works',
      off: 'Off for the season',
      gone: 'Said to be gone',
      closed: 'Closed by the city',
      photo: 'New photo',
      review: 'New review',
    },
    report: {
      done: 'Your report: dealt with',
      dismissed: 'Your report: checked, it stays as it is',
    },
  },
  de: {
    by: {
      person: 'jemand, der nicht mehr dabei ist',
      moderator: 'ein Mitglied der Moderation',
      program: 'ein Programm',
      observer: 'jemand am Brunnen',
    },
    event: {
      created: 'Neu',
      edited: 'Bearbeitet',
      moved: 'Verschoben',
      removed: 'Entfernt',
      restored: 'Wiederhergestellt',
      merged: 'Mit einem anderen vereint',
      approved: 'Freigegeben',
      unapproved: 'Nicht mehr freigegeben',
      verified: 'Bestätigt',
      unverified: 'Nicht mehr bestätigt',
      broken: 'Außer Betrieb',
      works: 'Funktioniert',
      off: 'Für die Saison abgestellt',
      gone: 'Als fehlend gemeldet',
      closed: 'Von der Stadt als erledigt gemeldet',
      photo: 'Neues Foto',
      review: 'Neue Bewertung',
    },
    report: {
      done: 'Deine Meldung: erledigt',
      dismissed: 'Deine Meldung: geprüft, es bleibt, wie es ist',
    },
  },
  fr: {
    by: {
      person: 'une personne qui n’est plus là',
      moderator: 'la modération',
      program: 'un programme',
      observer: 'quelqu’un sur place',
    },
    event: {
      created: 'Nouvelle',
      edited: 'Modifiée',
      moved: 'Déplacée',
      removed: 'Retirée',
      restored: 'Rétablie',
      merged: 'Fusionnée avec une autre',
      approved: 'Approuvée',
      unapproved: 'N’est plus approuvée',
      verified: 'Vérifiée',
      unverified: 'N’est plus vérifiée',
      broken: 'En panne',
      works: 'Fonctionne',
      off: 'Coupée pour la saison',
      gone: 'Signalée disparue',
      closed: 'Signalement clos par la ville',
      photo: 'Nouvelle photo',
      review: 'Nouvel avis',
    },
    report: {
      done: 'Ton signalement : c’est réglé',
      dismissed: 'Ton signalement : examiné, rien ne change',
    },
  },
  it: {
    by: {
      person: 'una persona che non c’è più',
      moderator: 'la moderazione',
      program: 'un programma',
      observer: 'qualcuno sul posto',
    },
    event: {
      created: 'Nuova',
      edited: 'Modificata',
      moved: 'Spostata',
      removed: 'Rimossa',
      restored: 'Ripristinata',
      merged: 'Unita a un’altra',
      approved: 'Approvata',
      unapproved: 'Non più approvata',
      verified: 'Verificata',
      unverified: 'Non più verificata',
      broken: 'Fuori servizio',
      works: 'Funziona',
      off: 'Chiusa per la stagione',
      gone: 'Segnalata come scomparsa',
      closed: 'Segnalazione chiusa dal Comune',
      photo: 'Nuova foto',
      review: 'Nuova recensione',
    },
    report: {
      done: 'La tua segnalazione: risolta',
      dismissed: 'La tua segnalazione: esaminata, resta tutto com’è',
    },
  },
  es: {
    by: {
      person: 'alguien que ya no está',
      moderator: 'la moderación',
      program: 'un programa',
      observer: 'alguien en el lugar',
    },
    event: {
      created: 'Nueva',
      edited: 'Editada',
      moved: 'Movida',
      removed: 'Retirada',
      restored: 'Restaurada',
      merged: 'Unida a otra',
      approved: 'Aprobada',
      unapproved: 'Ya no está aprobada',
      verified: 'Verificada',
      unverified: 'Ya no está verificada',
      broken: 'Fuera de servicio',
      works: 'Funciona',
      off: 'Cerrada por temporada',
      gone: 'Dada por desaparecida',
      closed: 'Aviso cerrado por el ayuntamiento',
      photo: 'Foto nueva',
      review: 'Reseña nueva',
    },
    report: {
      done: 'Tu aviso: resuelto',
      dismissed: 'Tu aviso: revisado, todo queda como está',
    },
  },
}
