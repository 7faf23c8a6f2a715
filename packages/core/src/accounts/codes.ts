import { keepCode, redeemCode, type Redeemed } from '../decide/account.ts'
import type { Deciding, Decision } from '../decide/deciding.ts'
import { RegistryError } from '../errors.ts'
import { hashesFor } from '../pseudonyms.ts'
import { hashOf } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** Codes that prove an address, each in the browser that asked for it. */

/** The stored hash of a code, which tells nothing without the secret of the browser. */
const answerOf = (browser: string, answer: string): string => hashOf(JSON.stringify([browser, answer]))

/** The mail of a code. */
export interface CodeMail {
  /** In the one form of all its spellings. */
  readonly address: string
  /** The network of the requester. */
  readonly network?: string | undefined
}

/** An answer that a browser is asked for, or gives. */
export interface CodeAnswer {
  readonly browser: string
  readonly answer: string
}

/** Stores a code for the browser that asked. @internal */
export async function newCode(
  store: Store,
  { browser, answer }: CodeAnswer,
  { address, network = '' }: CodeMail,
): Promise<void> {
  const keyOf = await hashesFor('allowance', store)
  const code = {
    key: hashOf(browser),
    answer: answerOf(browser, answer),
    allowances: {
      network: keyOf(JSON.stringify(['mails', address, network])),
      address: keyOf(JSON.stringify(['mails', address])),
      wrong: keyOf(JSON.stringify(['wrong codes', address])),
    },
  }
  await store.write({ decide: (at) => keepCode(code, at) })
}

/** Uses up a code in the transaction of `then`. @throws RegistryError UNAUTHORIZED; errors of `then` @internal */
export async function redeemed<Answer>(
  store: Store,
  { browser, answer }: CodeAnswer,
  then: (at: string) => Deciding<Decision<Answer>>,
): Promise<Answer> {
  const code = { key: hashOf(browser), answer: answerOf(browser, answer) }
  const tried: Redeemed<Answer> = await store.write({
    decide: (at) => redeemCode({ ...code, at }, () => then(at)),
  })
  if (tried.isRight) return tried.answer
  const { triesLeft } = tried
  const rest = triesLeft === 0 ? 'ask for a new one' : `${triesLeft} more tries`
  throw new RegistryError('UNAUTHORIZED', `This code is wrong: ${rest}`, { triesLeft })
}
