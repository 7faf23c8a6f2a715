import data from './happened-words.json' with { type: 'json' }
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

export const happenedWords: Readonly<Record<Language, HappenedWords>> = data

export function happenedWordsIn(tag = ''): HappenedWords {
  const [language = ''] = tag.toLowerCase().split('-')
  return Object.hasOwn(happenedWords, language) ? happenedWords[language as Language] : happenedWords.en
}
