import { createServer } from 'node:http'
import type { Frame, Page } from 'playwright-core'
import { newPage } from '../browser/page.ts'
import { listening } from '../listening.ts'

const script = `
async function create(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}
async function get(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}`

/** A site with pages for WebAuthn ceremonies; `/?frame=URL` embeds another page. @returns its origin */
export async function site(): Promise<string> {
  const server = createServer((request, response) => {
    const framed = new URL(request.url ?? '/', 'http://localhost').searchParams.get('frame')
    const frame = framed && `<iframe src="${encodeURI(framed)}" allow="publickey-credentials-get *"></iframe>`
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Passkeys</title>${frame ?? ''}`)
  })
  return `http://localhost:${await listening(server, 'localhost')}`
}

export interface Credential {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: Readonly<Record<string, unknown>>
}

export function ceremonies(page: Page | Frame) {
  const of =
    (name: 'create' | 'get') =>
    (options: Readonly<Record<string, unknown>>): Promise<Credential> =>
      page.evaluate(`(() => { ${script}; return ${name}(${JSON.stringify(options)}) })()`)
  return { create: of('create'), get: of('get') }
}

export async function device(address: string) {
  const page = await newPage()
  await page.goto(address)
  return { page, ...(await withAuthenticator(page)), ...ceremonies(page) }
}

export type Device = Awaited<ReturnType<typeof device>>

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
