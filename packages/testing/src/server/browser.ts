import type { App } from '../../../server/src/index.ts'

type Headers = Readonly<Record<string, string>>

export class Browser {
  readonly #app: Pick<App, 'fetch'>
  readonly #base: string
  readonly #headers: Headers
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>()

  constructor(
    app: Pick<App, 'fetch'>,
    { base = 'https://fountains.example', headers = {} }: { base?: string; headers?: Headers } = {},
  ) {
    this.#app = app
    this.#base = base
    this.#headers = headers
  }

  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value
  }

  /** Plants a cookie, like an attacker with a foothold on a sibling host. */
  plant(name: string, value: string, path = '/'): void {
    this.#cookies.set(`${name} ${path}`, { value, path })
  }

  async fetch(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Headers } = {},
  ): Promise<Response> {
    const { pathname } = new URL(path, this.#base)
    const cookie = [...this.#cookies]
      .filter(([, each]) => pathname.startsWith(each.path))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ')
    const response = await this.#app.fetch(
      new Request(new URL(path, this.#base), {
        method,
        redirect: 'manual',
        headers: {
          ...(method === 'GET' ? {} : { origin: this.#base }),
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...this.#headers,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  async json(
    method: string,
    path: string,
    asked?: Parameters<Browser['fetch']>[2],
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const response = await this.fetch(method, path, asked)
    const text = await response.text()
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    return { status: response.status, body }
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    const path = attributes.find((each) => each.startsWith('Path='))?.slice('Path='.length) ?? '/'
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(`${name} ${path}`)
    else this.#cookies.set(`${name} ${path}`, { value, path })
  }
}
