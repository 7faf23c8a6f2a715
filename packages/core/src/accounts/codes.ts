import { newCode, redeemCode, type Redeemed } from '../decide/account.ts'
import type { Deciding, Decision } from '../decide/deciding.ts'
import { keepNew } from '../decide/secret.ts'
import { RegistryError } from '../errors.ts'
import { hashOf } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** What is kept of a code: nobody can find the code in it without the secret of the browser. */
const answerOf = (browser: string, answer: string): string => hashOf(JSON.stringify([browser, answer]))

/** Codes that prove an address, each in the browser that asked for it. */
export class Codes {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async keep(browser: string, answer: string): Promise<void> {
    const key = hashOf(browser)
    await this.#store.write({ decide: (at) => keepNew(newCode(key, answerOf(browser, answer), at)) })
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
