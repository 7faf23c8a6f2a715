import { takeCeremony } from '../decide/account.ts'
import { keepNew } from '../decide/secret.ts'
import { RegistryError } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import { hashOf, longestSecret, minutesAfter, newSecret, secretId } from '../secrets.ts'
import type { Store } from '../store/port.ts'

/** What the end of a sign-in by a passkey or a provider is checked with. */
export class Ceremonies {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async begin(purpose: string, expected: Readonly<Record<string, string>>): Promise<string> {
    const { secret, key } = newSecret('ofc')
    await this.#store.write({
      decide: (at) =>
        keepNew({
          id: secretId('ceremony', key),
          kind: 'ceremony',
          value: { purpose, expected },
          createdAt: at,
          expiresAt: minutesAfter(at, lifetimes.ceremonyMinutes),
        }),
    })
    return secret
  }

  async end(secret: string, purpose: string): Promise<Readonly<Record<string, string>>> {
    const key = secret.length > longestSecret ? '' : hashOf(secret)
    const found = await this.#store.write({ decide: (at) => takeCeremony(key, { purpose, at }) })
    if (found === undefined)
      throw new RegistryError('UNAUTHORIZED', 'This took too long, or was begun elsewhere: begin again')
    return found.value.expected
  }
}
