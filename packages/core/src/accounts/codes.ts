import { keepCode, redeemCode, type Redeemed } from '../decide/account.ts'
import type { Deciding, Decision } from '../decide/deciding.ts'
import { RegistryError } from '../errors.ts'
import { hashOf, keyedHashes } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** The stored hash of a code, which tells nothing without the secret of the browser. */
const answerOf = (browser: string, answer: string): string => hashOf(JSON.stringify([browser, answer]))

/** The mail with which a code is sent. */
export interface CodeMail {
  /** In the one form of all its spellings. */
  readonly address: string
  /** The network of whoever asks for it. */
  readonly network?: string | undefined
}

/** Codes that prove an address, each in the browser that asked for it. */
export class Codes {
  readonly #store: Store

  /** @internal Created by the registry. */
  constructor(store: Store) {
    this.#store = store
  }

  async keep(browser: string, answer: string, { address, network = '' }: CodeMail): Promise<void> {
    const keyOf = keyedHashes(await this.#store.read.state.placeKey(), 'allowance')
    const code = {
      key: hashOf(browser),
      answer: answerOf(browser, answer),
      allowances: {
        network: keyOf(JSON.stringify(['mails', address, network])),
        address: keyOf(JSON.stringify(['mails', address])),
        wrong: keyOf(JSON.stringify(['wrong codes', address])),
      },
    }
    await this.#store.write({ decide: (at) => keepCode(code, at) })
  }

  /** Uses up a code in the transaction of what follows. @throws RegistryError UNAUTHORIZED; what `then` throws */
  async redeem<Answer>(
    browser: string,
    answer: string,
    then: (at: string) => Deciding<Decision<Answer>>,
  ): Promise<Answer> {
    const code = { key: hashOf(browser), answer: answerOf(browser, answer) }
    const redeemed: Redeemed<Answer> = await this.#store.write({
      decide: (at) => redeemCode({ ...code, at }, () => then(at)),
    })
    if (redeemed.isRight) return redeemed.answer
    const { triesLeft } = redeemed
    const rest = triesLeft === 0 ? 'ask for a new one' : `${triesLeft} more tries`
    throw new RegistryError('UNAUTHORIZED', `This code is wrong: ${rest}`, { triesLeft })
  }
}
