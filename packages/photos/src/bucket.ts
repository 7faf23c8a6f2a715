import { AwsClient } from 'aws4fetch'
import { RegistryError } from '@openfountain/core'
import { invalidBecause, type PhotoStorage } from '@openfountain/core/internal'

export interface BucketKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** `s3://photos/lund?endpoint=https://s3.example&region=eu-north-1` @throws RegistryError INVALID_INPUT */
export function bucketOf(place: string) {
  const url = URL.parse(place)
  const wanted = 'must be a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION'
  if (url === null || url.hostname === '' || url.username + url.password !== '')
    throw invalidBecause('bucket', wanted)
  const endpoint = URL.parse(url.searchParams.get('endpoint') ?? '')
  if (
    endpoint === null ||
    !/^https?:$/u.test(endpoint.protocol) ||
    endpoint.username + endpoint.password !== ''
  )
    throw invalidBecause('bucket', `${wanted}; endpoint is the address of the service`)
  const prefix = url.pathname.replace(/^\/+|\/+$/gu, '')
  return {
    bucket: url.hostname,
    /** Before the names of files; empty, or with a slash at its end. */
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: `${endpoint.origin}${endpoint.pathname.replace(/\/+$/u, '')}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}

const listed = /<Contents>[^]*?<\/Contents>/gu
const textIn = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`, 'u').exec(xml)?.[1]

export interface StoredObject {
  readonly name: string
  readonly writtenAt: string
}

/** Files in a private bucket of a service that speaks S3. Every method throws RegistryError UNAVAILABLE. */
export class Bucket {
  readonly place: string
  readonly #client: AwsClient
  readonly #base: string
  readonly #prefix: string
  readonly #patience: number

  /** @param patience the longest wait for an answer with its body, in milliseconds */
  constructor(
    { bucket, prefix, endpoint, region }: ReturnType<typeof bucketOf>,
    keys: BucketKeys,
    patience: number,
  ) {
    this.place = `s3://${bucket}/${prefix}`
    this.#base = `${endpoint}/${bucket}`
    this.#prefix = prefix
    this.#patience = patience
    this.#client = new AwsClient({ ...keys, region, service: 's3', retries: 2 })
  }

  async put(name: string, body: Blob | Uint8Array<ArrayBuffer>, type: string): Promise<void> {
    await this.#answer('PUT', this.#keyOf(name), {
      body,
      headers: { 'content-type': type, 'cache-control': 'private, no-store' },
    })
  }

  async has(name: string): Promise<boolean> {
    return (await this.#answer('HEAD', this.#keyOf(name), {}, true)) !== undefined
  }

  get(name: string): Promise<Response | undefined> {
    return this.#answer('GET', this.#keyOf(name), {}, true)
  }

  /** Deletes a file with its versions, where the service keeps any. */
  async delete(name: string): Promise<void> {
    const key = this.#keyOf(name)
    await this.#answer('DELETE', key, {}, true)
    const query = `?versions&prefix=${encodeURIComponent(key.slice(1))}`
    const versions = await this.#answer('GET', query, {}, true)
    const xml = (await versions?.text()) ?? ''
    for (const [version] of xml.matchAll(/<(?:Version|DeleteMarker)>[^]*?<\/(?:Version|DeleteMarker)>/gu)) {
      const id = textIn(version, 'VersionId')
      if (id !== undefined && id !== 'null' && textIn(version, 'Key') === key.slice(1))
        await this.#answer('DELETE', `${key}?versionId=${encodeURIComponent(id)}`, {}, true)
    }
  }

  async *list(): AsyncGenerator<StoredObject> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const after: string = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`
      const query = `?list-type=2&prefix=${encodeURIComponent(this.#prefix)}${after}`
      const xml: string = await ((await this.#answer('GET', query)) as Response).text()
      for (const [contents] of xml.matchAll(listed)) {
        const [key, writtenAt] = [textIn(contents, 'Key'), textIn(contents, 'LastModified')]
        if (key?.startsWith(this.#prefix) && writtenAt !== undefined)
          yield { name: key.slice(this.#prefix.length), writtenAt: new Date(writtenAt).toISOString() }
      }
      token = textIn(xml, 'NextContinuationToken')
    }
  }

  #keyOf(name: string): string {
    return `/${this.#prefix}${name}`
  }

  async #answer(
    method: string,
    path: string,
    init: RequestInit = {},
    mayBeMissing = false,
  ): Promise<Response | undefined> {
    const signal = AbortSignal.timeout(this.#patience)
    const request = { ...init, method, signal, redirect: 'error' } as const
    const response = await this.#client.fetch(`${this.#base}${path}`, request).catch((cause: unknown) => {
      throw new RegistryError(
        'UNAVAILABLE',
        `${this.place} cannot be reached; try again later`,
        {},
        { cause },
      )
    })
    if (response.ok) return response
    const text = await response.text()
    const code = textIn(text, 'Code') ?? ''
    // A service without versions does not list them.
    const isMissing = [404, 405, 501].includes(response.status) && code !== 'NoSuchBucket'
    if (mayBeMissing && isMissing) return undefined
    const reason = code === '' ? String(response.status) : `${response.status} ${code}`
    const remedy = 'see its name, its endpoint and its keys'
    throw new RegistryError('UNAVAILABLE', `${this.place} does not take it (${reason}): ${remedy}`, {})
  }
}

/** Files of photos in a bucket: `PREFIX/SHA256.webp`. */
export const photosIn = (bucket: Bucket): PhotoStorage => ({
  place: bucket.place,
  // A copy over a file is its newest version, and says when an upload asked for it last.
  put: ({ sha256, bytes }) => bucket.put(`${sha256}.webp`, new Uint8Array(bytes), 'image/webp'),
  has: (sha256) => bucket.has(`${sha256}.webp`),
  async get(sha256) {
    const response = await bucket.get(`${sha256}.webp`)
    return response && new Uint8Array(await response.arrayBuffer())
  },
  delete: (sha256) => bucket.delete(`${sha256}.webp`),
  async *list() {
    for await (const { name, writtenAt } of bucket.list()) {
      const [, sha256] = /^([0-9a-f]{64})\.webp$/u.exec(name) ?? []
      if (sha256 !== undefined) yield { sha256, writtenAt }
    }
  },
})
