import { showsNothing, withoutTurns } from '@openfountain/core/letters'
import { limits } from '@openfountain/core/rules'
import { addressIn } from '../email-address.ts'

export interface Person {
  readonly issuer: string
  readonly subject: string
  /** The provider's claims: those of OpenID Connect, or GitHub's equivalents. */
  readonly claims: Readonly<Record<string, unknown>>
}

function nameIn(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const text = given
    .slice(0, 1000)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .normalize('NFC')
    .trim()
  const cut = [...withoutTurns(text)].slice(0, limits.userName).join('').trim()
  return showsNothing(cut) ? undefined : cut
}

/** The name for a new account, if the provider has one. */
export const nameOf = ({ claims }: Person): string | undefined =>
  nameIn(claims['name']) ?? nameIn(claims['preferred_username']) ?? nameIn(claims['login'])

/** The stored way to sign in. `address` is one that the provider has verified. */
export function wayOf(person: Person, provider: string) {
  const { issuer, subject, claims } = person
  const address = claims['email_verified'] === true ? addressIn(claims['email']) : undefined
  const label =
    nameIn(claims['preferred_username']) ?? nameIn(claims['login']) ?? address?.shown ?? nameOf(person)
  return {
    key: `${issuer} ${subject}`,
    provider,
    label: label ?? subject,
    address: address?.key,
  }
}
