/** @module-tag browser */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createAccounts } from '@openfountain/accounts'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { device } from '@openfountain/testing/accounts/browser'
import { sharedDatabase, temporaryFolder } from '@openfountain/testing/accounts/stage'
import { afterwards } from '@openfountain/testing/afterwards'

let browser: Browser

beforeAll(async () => {
  browser = await startChromium()
})

afterAll(() => browser.close())

/** A whole server with a page, at an origin that browsers take for secure. */
async function served() {
  const folder = await temporaryFolder()
  const site = path.join(folder, 'site')
  await mkdir(site)
  await writeFile(path.join(site, 'index.html'), '<!doctype html><title>Fountains</title>')
  const registry = await openRegistry({ database: await sharedDatabase(), durability: 'relaxed' })
  afterwards(() => registry.close())
  const server = createServer()
  server.listen(0, 'localhost')
  await once(server, 'listening')
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const accounts = createAccounts(registry, { publicUrl: origin })
  afterwards(() => accounts.close())
  server.on('request', nodeListener(createApp(registry, { accounts, publicUrl: origin, site })))
  const ada = await registry.users.create({ name: 'Ada' })
  const linked = async (page: Page) => {
    const { secret } = await registry.accounts.link(ada.id)
    return told(page, 'POST', '/api/auth/links/redeem', { secret })
  }
  return { registry, origin, ada, linked }
}

interface Told {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** What a page is told that asks its own origin, with the cookies of its browser. */
function told(page: Page, method: string, address: string, body?: unknown): Promise<Told> {
  return page.evaluate(
    async ([verb, to, sent]) => {
      const response = await fetch(to, {
        method: verb,
        ...(sent === undefined ? {} : { body: sent, headers: { 'Content-Type': 'application/json' } }),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      }
    },
    [method, address, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}

/** A ceremony in a page. @returns the JSON of the credential */
function ceremony(page: Page, act: 'create' | 'get', options: unknown): Promise<unknown> {
  return page.evaluate(
    `(async (options) => {
      const publicKey = PublicKeyCredential.${act === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'}(options)
      return (await navigator.credentials.${act}({ publicKey })).toJSON()
    })(${JSON.stringify(options)})`,
  )
}

async function added(page: Page, name: string): Promise<Told> {
  const { body } = await told(page, 'POST', '/api/user/passkeys/options')
  const response = await ceremony(page, 'create', body['options'])
  return told(page, 'POST', '/api/user/passkeys', { response, name })
}

async function begun(page: Page): Promise<unknown> {
  const { body } = await told(page, 'POST', '/api/auth/passkeys/options')
  return ceremony(page, 'get', body['options'])
}

const ended = (page: Page, response: unknown) =>
  told(page, 'POST', '/api/auth/passkeys/sign-in', { response })

describe('a passkey over HTTP, in a browser', () => {
  test('is added after a link, signs in without a name, is renamed, and is not removed while it is the last way', async () => {
    const { origin, ada, linked } = await served()
    const { page } = await device(browser, origin)
    expect(await told(page, 'POST', '/api/user/passkeys/options')).toMatchObject({ status: 401 })
    expect(await linked(page)).toMatchObject({ status: 200 })
    const { status, body } = await added(page, 'My phone')
    expect([status, body]).toEqual([
      201,
      {
        passkey: {
          id: expect.any(Number) as number,
          name: 'My phone',
          isSynced: false,
          addedAt: expect.any(String) as string,
        },
      },
    ])
    expect((await told(page, 'POST', '/api/auth/sign-out')).status).toBe(204)
    expect(await told(page, 'GET', '/api/auth')).toMatchObject({ body: { user: null } })
    const response = await begun(page)
    expect(await ended(page, response)).toMatchObject({ status: 200, body: { user: { id: ada.id } } })
    expect(await told(page, 'GET', '/api/user')).toMatchObject({ body: { user: { id: ada.id } } })
    const { id } = body['passkey'] as { id: number }
    const address = `/api/user/passkeys/${id}`
    expect(await told(page, 'PATCH', address, { name: 'Blue phone' })).toMatchObject({
      status: 200,
      body: { passkey: { id, name: 'Blue phone' } },
    })
    const listed = await told(page, 'GET', '/api/user/passkeys')
    expect(listed.body).toMatchObject({ passkeys: [{ id, name: 'Blue phone' }] })
    expect(JSON.stringify(listed.body)).not.toMatch(/credentialId|publicKey/u)
    expect(await told(page, 'DELETE', address)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    // Its cookies are hidden from scripts, and what was answered once is worth nothing again.
    expect(await page.evaluate('document.cookie')).toBe('')
    expect(await ended(page, response)).toMatchObject({ status: 401 })
  })

  test('signs in from the tab that began, when several have', async () => {
    const { origin, ada, linked } = await served()
    const { page } = await device(browser, origin)
    await linked(page)
    await added(page, 'Phone')
    await told(page, 'POST', '/api/auth/sign-out')
    const first = await begun(page)
    const second = await begun(page)
    expect(await ended(page, first)).toMatchObject({ status: 200, body: { user: { id: ada.id } } })
    await told(page, 'POST', '/api/auth/sign-out')
    expect(await ended(page, second)).toMatchObject({ status: 200 })
  })

  test('is worth nothing in a browser that did not begin', async () => {
    const { origin, linked } = await served()
    const { page } = await device(browser, origin)
    await linked(page)
    await added(page, 'Phone')
    const stolen = await begun(page)
    const elsewhere = await device(browser, origin)
    expect(await ended(elsewhere.page, stolen)).toMatchObject({ status: 401 })
    await told(elsewhere.page, 'POST', '/api/auth/passkeys/options')
    expect(await ended(elsewhere.page, stolen)).toMatchObject({ status: 401 })
    expect(await ended(page, stolen)).toMatchObject({ status: 200 })
  })
})
