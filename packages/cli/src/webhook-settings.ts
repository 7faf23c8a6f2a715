import { RegistryError } from '@openfountain/core'
import { registryKey, Sender } from '@openfountain/telling'
import { flag, type Given, list } from './options.ts'
import type { databaseOption } from './settings.ts'

export const deliveryOptions = {
  'webhooks-private': list(
    'RANGE',
    'A private network in which webhooks may be, such as 10.1.0.0/16; default none',
    { env: 'OPENFOUNTAIN_WEBHOOKS_PRIVATE' },
  ),
  'webhooks-insecure': flag('Lets webhooks be at http: addresses of this machine', {
    env: 'OPENFOUNTAIN_WEBHOOKS_INSECURE',
  }),
}

/** The program of the operator, which is told what fails. */
export const operatorWebhook = { id: 'operator', generation: 1 } as const

/** The sender of the options. @throws RegistryError INVALID_INPUT for what is no range */
export function senderOf(
  { db, ...given }: Given<typeof databaseOption & typeof deliveryOptions>,
  env: NodeJS.ProcessEnv,
  publicUrl?: string,
): Sender {
  let key: string | undefined
  return new Sender({
    key: () => (key ??= registryKey(db, env)),
    privateRanges: given['webhooks-private'],
    insecure: given['webhooks-insecure'],
    publicUrl,
  })
}

/** The key of links in mails; without one there are no mails about what people follow, as a warning says. */
export function mailKey(
  database: string,
  env: NodeJS.ProcessEnv,
  warn: (text: string) => void,
): string | undefined {
  try {
    return registryKey(database, env)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    warn(`Nobody is mailed what they follow: ${error.message}`)
    return undefined
  }
}
