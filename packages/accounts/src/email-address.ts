import { domainToASCII } from 'node:url'
import { invalid } from '@openfountain/core/internal'

export type EmailAddress = NonNullable<ReturnType<typeof addressIn>>

// Quoted local parts, comments, lists and groups belong to no person, and parsers disagree on them.
const localPart = /^[^\s@"(),:;<>[\]\\\p{C}\p{Default_Ignorable_Code_Point}]{1,64}$/u
const domain = /^[\p{L}\p{N}\p{M}.\-\u3002\uff0e\uff61]+$/u
const longest = 254

/** `key` is for lookups, `shown` as it was given, `mailbox` has the domain in ASCII; undefined for none. */
export function addressIn(given: unknown) {
  if (typeof given !== 'string' || given.length > 4 * longest || !given.isWellFormed()) return undefined
  const shown = given.normalize('NFC').trim()
  const at = shown.lastIndexOf('@')
  const [local, host] = [shown.slice(0, at), shown.slice(at + 1)]
  if (at < 1 || !localPart.test(local) || /^\.|\.\.|\.$/u.test(local) || !domain.test(host)) return undefined
  const ascii = domainToASCII(host.toLowerCase())
  const labels = ascii.split('.')
  // The last label of a domain has a letter; numbers are IP addresses.
  if (labels.some((label) => label === '' || label.length > 63) || !/[a-z]/u.test(labels.at(-1) ?? ''))
    return undefined
  // Compatibility characters: a mail server may replace them.
  if (local.normalize('NFKC') !== local) return undefined
  const mailbox = `${local}@${ascii}`
  if (mailbox.length > longest) return undefined
  return { key: `mailto:${local.toLowerCase().normalize('NFC')}@${ascii}`, shown, mailbox }
}

/** @throws RegistryError INVALID_INPUT unless it is an e-mail address */
export function emailAddress(given: unknown, field = 'email'): EmailAddress {
  const address = addressIn(given)
  if (address === undefined)
    throw invalid(
      field,
      given === undefined ? 'is required' : 'must be an e-mail address, such as ada@example.org',
    )
  return address
}
