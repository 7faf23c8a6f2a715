import { isLoopback } from '@openfountain/core/internal'

const largest = 1024 * 1024
const timeoutMs = 10_000

/** An unusable response of a provider. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * Fetches from a provider within 10 seconds and 1 MiB, without redirects, and over https, except for this machine's own
 * addresses.
 */
export async function boundedFetch(
  address: string,
  {
    method = 'GET',
    headers,
    body,
    signal,
  }: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: RequestInit['body'] | undefined
    readonly signal?: AbortSignal | undefined
  } = {},
): Promise<Response> {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new ProviderFault('INSECURE_ADDRESS')
  const limit = AbortSignal.timeout(timeoutMs)
  const response = await fetch(address, {
    method,
    headers: { ...headers },
    body,
    redirect: 'manual',
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > largest) throw new ProviderFault('RESPONSE_TOO_LARGE')
    chunks.push(chunk)
  }
  const hasBody = ![101, 204, 205, 304].includes(response.status)
  return new Response(hasBody ? Buffer.concat(chunks) : null, {
    status: response.status,
    headers: response.headers,
  })
}
