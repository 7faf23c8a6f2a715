export type Subject =
  | 'node'
  | 'settings'
  | 'database'
  | 'modes'
  | 'clock'
  | 'disk'
  | 'backup'
  | 'publication'
  | 'sources'
  | 'webhooks'
  | 'photos'
  | 'proxy'

/** A finding: `wrong` must be changed, `warning` needs attention or could not be checked. */
export interface Finding {
  readonly subject: Subject
  readonly state: 'ok' | 'warning' | 'wrong'
  /** One sentence, with the remedy if known. */
  readonly message: string
}

const found =
  (state: Finding['state']) =>
  (subject: Subject, message: string): Finding => ({ subject, state, message })

export const ok = found('ok')
export const warning = found('warning')
export const wrong = found('wrong')

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export const limits = {
  /** Backups are nightly; one may fail. */
  backupSeconds: 2 * day,
  /** Sites are published every hour, with `publish --watch` and no changes once a day. */
  publicationSeconds: 26 * hour,
  /** A backup and the next site each need as much space as the registry. */
  timesDatabase: 2,
  leastBytes: 256 * 1024 * 1024,
  answerSeconds: 10,
} as const

/** A time for people, such as `3 hours`. */
export function durationText(seconds: number): string {
  const [unit, length] =
    seconds >= 2 * day
      ? (['day', day] as const)
      : seconds >= 2 * hour
        ? (['hour', hour] as const)
        : (['minute', minute] as const)
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const mebibyte = 1024 * 1024

export const bytesText = (bytes: number): string => `${Math.floor(bytes / mebibyte).toLocaleString('en')} MiB`
