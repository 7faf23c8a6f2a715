import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, CDPSession, Frame, Page } from 'playwright-core'
import { afterwards } from '../afterwards.ts'

const script = `
async function create(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}
async function get(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}`

/** A site of pages that do ceremonies of WebAuthn; `/?frame=URL` has another page in a frame. @returns its origin */
export async function site(): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const framed = searchParams.get('frame')
    const frame =
      framed === null
        ? ''
        : `<iframe src="${encodeURI(framed)}" allow="publickey-credentials-get *"></iframe>`
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Passkeys</title>${frame}`)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

type Json = Readonly<Record<string, unknown>>

/** A browser with an authenticator of its own, as of one device. */
export interface Device {
  readonly page: Page
  readonly cdp: CDPSession
  readonly authenticatorId: string
  create(options: Json): Promise<Credential>
  get(options: Json): Promise<Credential>
}

/** The JSON of a credential. */
export interface Credential {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: Readonly<Record<string, unknown>>
}

/** Ceremonies that a script of a page or a frame does. */
export function ceremonies(page: Page | Frame): Pick<Device, 'create' | 'get'> {
  const run = (name: string, options: Json): Promise<Credential> =>
    page.evaluate(`(() => { ${script}; return ${name}(${JSON.stringify(options)}) })()`)
  return {
    create: (options) => run('create', options),
    get: (options) => run('get', options),
  }
}

export async function device(browser: Browser, address: string): Promise<Device> {
  const context = await browser.newContext()
  afterwards(() => context.close())
  const page = await context.newPage()
  await page.goto(address)
  const { cdp, authenticatorId } = await withAuthenticator(page)
  return { page, cdp, authenticatorId, ...ceremonies(page) }
}

/** Gives a page the authenticator of one device, which verifies its person without asking. */
export async function withAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}
