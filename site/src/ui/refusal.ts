import { Refusal } from '../api/request.ts'
import { fill, type Format, type Messages } from '../messages.ts'

export interface RefusalTexts {
  readonly problem: Messages['account']['problem']
  readonly format: Format
}

/** The texts of a room by code, where they differ; undefined for the usual one. */
export type OwnTexts = Readonly<
  Record<string, string | ((refused: Refusal) => string | undefined) | undefined>
>

/** The text of any error in the reader's language, with the remedy. */
export function errorWords(error: unknown, texts: RefusalTexts, own: OwnTexts = {}): string {
  const { problem, format } = texts
  if (!(error instanceof Refusal)) return problem.server
  const { code, details, retryAfterSeconds = 60 } = error
  const known = own[code]
  const text = typeof known === 'function' ? known(error) : known
  if (text !== undefined) return text
  switch (code) {
    case 'UNAUTHORIZED':
      return problem.signedOut
    case 'FORBIDDEN':
      return blockedWords(details, texts) ?? problem.forbidden
    case 'INVALID_INPUT':
      return problem.input
    case 'REAUTHENTICATION_REQUIRED':
      return problem.again
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return format.count(problem.wait, Math.max(1, Math.ceil(retryAfterSeconds / 60)))
    case 'OFFLINE':
      return problem.offline
    case 'INTERNAL':
      return problem.server
    default:
      return own['other'] === undefined ? problem.server : String(own['other'])
  }
}

/** The text of the first refused field, from texts by the names of fields. */
export const fieldWords =
  (texts: Readonly<Record<string, string>>) =>
  ({ fields }: Refusal): string | undefined =>
    Object.entries(texts).find(([name]) => fields.includes(name))?.[1]

/** Why and until when somebody is blocked; undefined when the details are about something else. */
export function blockedWords(
  { reason, blockedUntil: until }: Readonly<Record<string, unknown>>,
  { problem, format }: RefusalTexts,
): string | undefined {
  if (typeof reason !== 'string') return undefined
  const given = format.isolate(reason)
  return typeof until === 'string'
    ? fill(problem.blockedUntil, { date: format.date(until), reason: given })
    : fill(problem.blocked, { reason: given })
}
