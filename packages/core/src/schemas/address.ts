import { z } from 'zod'
import { limits } from '../rules.ts'

function isWebAddress(given: string): boolean {
  if (!/^https?:\/\//iu.test(given) || /[\s\p{Cc}]/u.test(given)) return false
  const url = URL.parse(given)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** An absolute http: or https: URL without credentials. */
export const WebAddress = z
  .string()
  .refine((given) => given.isWellFormed() && given.length <= limits.imageUrl && isWebAddress(given), {
    message: `must be an absolute http: or https: URL of at most ${limits.imageUrl} characters`,
  })
  .meta({ format: 'uri', maxLength: limits.imageUrl })
