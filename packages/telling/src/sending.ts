import { createCipheriv, createDecipheriv, createECDH, createHmac, randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import {
  bytesOf,
  FetchRefused,
  guardedFetch,
  invalidBecause,
  isLoopback,
  namedAddress,
  type PushDevice,
  type StoredWebhook,
  isOnServer,
} from '@openfountain/core/internal'
import { delivering, following, pushHosts } from '@openfountain/core/rules'
import { readFileSync, writeFileSync } from 'node:fs'
import type * as WebPush from 'web-push'

/** Allowed addresses, and the key of all secrets. */
export interface SenderOptions {
  /** The key of the registry; called when a secret is needed. */
  readonly key: () => string
  /** Ranges of private networks in which webhooks may be, such as `10.1.0.0/16`. Default none. */
  readonly privateRanges?: readonly string[] | undefined
  /** Whether webhooks may be at http: addresses of this machine. Default false. */
  readonly insecure?: boolean | undefined
  /** The address of the registry, which push services are told when it is https:. */
  readonly publicUrl?: string | undefined
}

/** A message of Standard Webhooks. */
export interface Message {
  /** The same whenever it is sent. */
  readonly id: string
  /** JSON. */
  readonly body: string
}

type Signed = Pick<StoredWebhook, 'id' | 'generation' | 'rotatedAt'>

/** An answer, or why there was none. */
export interface Answer {
  readonly status?: number
  readonly error?: string
  /** The body of a good one. */
  readonly text?: string
}

const cipher = 'aes-256-gcm'
const [nonceBytes, markBytes] = [12, 16]

const hourMilliseconds = 3_600_000

/** @throws RegistryError INVALID_INPUT for what is no range */
function rangesOf(given: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of given) {
    const [address = '', bits] = range.split('/')
    try {
      list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
    } catch {
      throw invalidBecause('privateRanges', `${range} is no range such as 10.1.0.0/16`)
    }
  }
  return list
}

/** Signs messages for webhooks and sends them, to addresses that are allowed. */
export class Sender {
  readonly #options: SenderOptions
  readonly #ranges: BlockList

  /** @throws RegistryError INVALID_INPUT */
  constructor(options: SenderOptions) {
    this.#options = options
    this.#ranges = rangesOf(options.privateRanges ?? [])
  }

  #permitsFor(url: URL | null) {
    const isLocal = this.#options.insecure === true && url !== null && isLoopback(url.hostname)
    const permits = (address: string): boolean =>
      this.#ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ||
      (isLocal && (address === '::1' || isLoopback(address)))
    return { allowPlain: isLocal, permits }
  }

  /** @throws RegistryError INVALID_INPUT for an address to which nothing is sent */
  check(url: string): void {
    try {
      namedAddress(url, this.#permitsFor(URL.parse(url)))
    } catch (error) {
      throw error instanceof FetchRefused ? invalidBecause('url', error.message) : error
    }
  }

  /** The secret of a webhook, `whsec_` and base64. @throws RegistryError INVALID_INPUT without a key */
  secretOf({ id, generation }: Pick<StoredWebhook, 'id' | 'generation'>): string {
    return `whsec_${this.#bytes(id, generation).toString('base64')}`
  }

  #bytes(id: string, generation: number): Buffer {
    return createHmac('sha256', this.#options.key()).update(`webhook ${id} ${generation}`).digest()
  }

  /** The headers of a message at a time, by the secret, and for a day after a change by the one before too. */
  headers(webhook: Signed, { id, body }: Message, at: string): Record<string, string> {
    const { generation, rotatedAt } = webhook
    const timestamp = String(Math.floor(Date.parse(at) / 1000))
    const isNew =
      rotatedAt !== undefined &&
      Date.parse(at) < Date.parse(rotatedAt) + delivering.rotationHours * hourMilliseconds
    const signatures = (isNew ? [generation, generation - 1] : [generation]).map((each) => {
      const signed = createHmac('sha256', this.#bytes(webhook.id, each)).update(`${id}.${timestamp}.${body}`)
      return `v1,${signed.digest('base64')}`
    })
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    }
  }

  /** Seals the key that an address asks for: base64url of nonce, mark and text. It opens for that address alone. */
  seal(url: string, text: string): string {
    const nonce = randomBytes(nonceBytes)
    const sealing = createCipheriv(cipher, this.#sealingKey(), nonce, { authTagLength: markBytes }).setAAD(
      Buffer.from(url),
    )
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
  }

  /** @throws RegistryError INVALID_INPUT for what was sealed with another key, or for another address */
  unseal(url: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const opening = createDecipheriv(cipher, this.#sealingKey(), bytes.subarray(0, nonceBytes), {
      authTagLength: markBytes,
    })
    try {
      opening.setAAD(Buffer.from(url)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + markBytes))
      return opening.update(bytes.subarray(nonceBytes + markBytes), undefined, 'utf8') + opening.final('utf8')
    } catch {
      throw invalidBecause(
        'apiKey',
        'it was sealed with another key or for another address: add the endpoint anew',
      )
    }
  }

  #sealingKey(): Buffer {
    return createHmac('sha256', this.#options.key()).update('open311').digest()
  }

  async send(webhook: Signed & Pick<StoredWebhook, 'url'>, message: Message, at: string): Promise<Answer> {
    const headers = this.headers(webhook, message, at)
    const { text: _text, ...answer } = await this.ask(webhook.url, { content: message.body, headers })
    return answer
  }

  /** The public key of pushes, in base64url (RFC 8292). @throws RegistryError INVALID_INPUT without a key */
  pushKey(): string {
    return this.#pushKeys().publicKey
  }

  #pushKeys(): { readonly publicKey: string; readonly privateKey: string } {
    const private_ = createHmac('sha256', this.#options.key()).update('push').digest()
    const keys = createECDH('prime256v1')
    keys.setPrivateKey(private_)
    return { publicKey: keys.getPublicKey('base64url'), privateKey: private_.toString('base64url') }
  }

  /** @throws RegistryError INVALID_INPUT for a device whose address is of no known push service */
  checkDevice(endpoint: string): void {
    const url = URL.parse(endpoint)
    const isKnown = pushHosts.some((host) =>
      host.startsWith('.') ? url?.hostname.endsWith(host) : url?.hostname === host,
    )
    const isSafe = url?.protocol === 'https:' && url.port === '' && url.username === '' && url.password === ''
    if ((isKnown && isSafe) || this.#permitsFor(url).allowPlain) return
    throw invalidBecause('endpoint', 'is not an address of a known push service')
  }

  /** Pushes a message to a device once, encrypted for it (RFC 8291). */
  async push({ endpoint, keys }: PushDevice, { id, body }: Message): Promise<Answer> {
    const { default: webPush } = await import('web-push')
    const { publicUrl } = this.#options
    const subject = publicUrl?.startsWith('https:') === true ? publicUrl : 'https://fountains.invalid'
    const vapidDetails = { subject, ...this.#pushKeys() }
    let details: WebPush.RequestDetails
    try {
      details = webPush.generateRequestDetails({ endpoint, keys }, body, {
        vapidDetails,
        TTL: following.push.hours * 3600,
        // One that was not fetched yet is replaced by the same.
        topic: id.slice(-32),
      })
    } catch {
      return { status: 410, error: 'KEYS' }
    }
    const headers = Object.fromEntries(
      Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
    )
    return this.ask(endpoint, { content: details.body ?? '', headers })
  }

  /** Asks an address once: POST where there is content, else GET. @param most bytes of the answer */
  async ask(
    url: string,
    given: { readonly content?: string | Uint8Array; readonly headers: Readonly<Record<string, string>> },
    most: number = delivering.answerBytes,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(delivering.answerSeconds * 1000)
    try {
      const answer = await guardedFetch(url, {
        ...this.#permitsFor(URL.parse(url)),
        ...given,
        method: given.content === undefined ? 'GET' : 'POST',
        follows: false,
        signal,
      })
      const text = new TextDecoder().decode(await bytesOf(answer, most))
      const { status } = answer
      return status >= 200 && status < 300 ? { status, text } : { status, error: `answers ${status}` }
    } catch (error) {
      // The address is not in it: it is shown with it.
      if (error instanceof FetchRefused) return { error: error.refusal.code }
      return { error: signal.aborted ? 'TOO_SLOW' : String(error) }
    }
  }
}

const variable = 'OPENFOUNTAIN_KEY'
const leastCharacters = 32

/** The file of a key beside a database: `NAME.key` for `NAME.db`, or with another ending. */
export const keyBeside = (database: string, ending = 'key'): string =>
  `${database.replace(/\.db$/u, '')}.${ending}`

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST'

/**
 * The key that secrets of webhooks, and links that end mails, are made of: OPENFOUNTAIN_KEY, else the file `NAME.key` beside the database, which only
 * its owner may read, and which is made when it is absent.
 *
 * @throws RegistryError INVALID_INPUT for a key that is too short, or a database on a server without one
 */
export function registryKey(database: string, env: NodeJS.ProcessEnv): string {
  const given = env[variable]?.trim()
  if (given === undefined && (database === ':memory:' || isOnServer(database)))
    throw invalidBecause(
      'key',
      `set ${variable} to ${leastCharacters} or more random characters: secrets are made of it`,
    )
  const file = keyBeside(database)
  const key = given ?? keyIn(file)
  if (key.length >= leastCharacters) return key
  throw invalidBecause(
    'key',
    `${given === undefined ? file : variable} must have at least ${leastCharacters} characters`,
  )
}

function keyIn(file: string): string {
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!isThere(error)) throw error
  }
  return readFileSync(file, 'utf8').trim()
}
