import { timingSafeEqual } from 'node:crypto'
import { keyedHashes, type MailsOf } from '@openfountain/core/internal'
import { rhythms } from '@openfountain/core/rules'

/** The token in mails that ends them. It is not stored, and good as long as the key. */
export const endingToken = ({ userId, rhythm }: MailsOf, key: string): string =>
  `${rhythm}.${keyedHashes(key, 'mail')(`${rhythm} ${userId}`).slice(0, 32)}.${userId}`

/** The mails that a token ends; undefined for no such token. */
export function endedBy(token: string, key: string): MailsOf | undefined {
  const [, word, userId = ''] = /^([a-z-]+)\.[\da-f]{32}\.(.+)$/su.exec(token) ?? []
  const rhythm = rhythms.find((each) => each === word)
  if (rhythm === undefined) return undefined
  const given = Buffer.from(token)
  const right = Buffer.from(endingToken({ userId, rhythm }, key))
  return given.length === right.length && timingSafeEqual(given, right) ? { userId, rhythm } : undefined
}
