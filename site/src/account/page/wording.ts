import { limits } from '@openfountain/core/rules'
import { fill } from '../../messages.ts'
import { errorWords, fieldWords } from '../../ui/refusal.ts'
import { format, words } from './config.ts'

const { problem } = words

const unexpected = { FORBIDDEN: problem.forbidden, CONFLICT: problem.taken, NOT_FOUND: problem.off }
const ofProvider = {
  UNAUTHORIZED: problem.provider,
  // After a redirect the error is the provider's: this server did respond.
  UNAVAILABLE: problem.providerDown,
}

const operations = {
  link: { UNAUTHORIZED: problem.link, FORBIDDEN: problem.invitation },
  code: { UNAUTHORIZED: problem.codeOver, FORBIDDEN: problem.invitation },
  passkey: { UNAUTHORIZED: problem.passkey },
  provider: { ...ofProvider, FORBIDDEN: problem.invitation, INVALID_INPUT: problem.provider },
  adding: { CONFLICT: problem.elsewhere },
  addingProvider: { ...ofProvider, CONFLICT: problem.elsewhere },
  removing: { CONFLICT: problem.lastWay, NOT_FOUND: problem.gone },
  leaving: {},
  other: { NOT_FOUND: problem.gone },
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type Operation = keyof typeof operations

const ofBrowser = new Map([
  ['InvalidStateError', problem.passkeyKnown],
  ['SecurityError', problem.passkeyHere],
  ['NotAllowedError', problem.passkeyCancelled],
  ['AbortError', problem.passkeyCancelled],
])

const name = fill(problem.name, { max: format.number(limits.userName) })
const fieldText = fieldWords({
  name,
  device: name,
  email: problem.email,
  code: problem.codeForm,
  confirm: problem.confirm,
})

/** The text of an error in the reader's language, with the remedy. */
export function wordingOf(error: unknown, operation: Operation): string {
  const own: Readonly<Record<string, string | undefined>> = { ...unexpected, ...operations[operation] }
  return (
    ofBrowser.get(error instanceof Error ? error.name : '') ??
    errorWords(
      error,
      { problem, format },
      {
        ...own,
        UNAUTHORIZED: ({ details: { triesLeft } }) =>
          operation === 'code' && Number(triesLeft) > 0
            ? format.count(problem.tries, Number(triesLeft))
            : own['UNAUTHORIZED'],
        FORBIDDEN: ({ details: { reason, registration } }) =>
          typeof reason === 'string'
            ? undefined
            : registration === 'closed'
              ? problem.closed
              : own['FORBIDDEN'],
        INVALID_INPUT: (refused) => fieldText(refused) ?? own['INVALID_INPUT'],
        UNAVAILABLE: ({ retryAfterSeconds }) =>
          retryAfterSeconds === undefined ? own['UNAVAILABLE'] : undefined,
      },
    )
  )
}

export const withName = (text: string, name: string): string => fill(text, { name: format.isolate(name) })
