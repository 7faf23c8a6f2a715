/** @module-tag browser */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { user } from '@openfountain/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityProvider, type IdentityProvider } from '@openfountain/testing/accounts/identity-provider'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { buildSite } from '../src/index.ts'
import {
  accountStage,
  inspect,
  visitor,
  type AccountStage,
  type Visitor,
} from '@openfountain/testing/site/account-stage'
import { filesOf } from '@openfountain/testing/site/built-site'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { exportSample, freshFolder } from '@openfountain/testing/site/sample'

let site: string
let browser: Browser

beforeAll(async () => {
  site = join(await freshFolder(), 'site')
  await buildSite({ data: await exportSample(), out: site, api: '/api', languages: ['en', 'de'] })
  browser = await startChromium()
})

afterAll(() => browser?.close())

const hostileName = '<img src=x onerror=alert(1)> "Ada" \u200Fאדה'

const problem = (page: Page) => page.locator('.problem:not(:empty):visible')
const status = (page: Page) => page.locator('#account-status')
const heading = (page: Page) => page.locator('#account-title')

/** Somebody who was invited and is on the page of their account. */
async function member(
  { invitation }: AccountStage,
  name = 'Ada',
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Visitor> {
  const made = await visitor(browser, options)
  await made.page.goto(await invitation(name))
  await made.page.waitForURL('**/account/')
  await made.page.locator('#step-account').waitFor()
  return made
}

async function addPasskey(page: Page, name = 'Phone'): Promise<void> {
  await page.getByLabel('Name of the new passkey').fill(name)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.locator('#passkeys .item', { hasText: name }).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.locator('#sign-out').click()
  await page.waitForURL('**/sign-in/')
  await page.locator('#step-ways').waitFor()
}

/** Agrees to what the dialog asks. */
const agree = (page: Page) => page.locator('#ask [data-yes]').click()

describe('a link', () => {
  it('of an invitation asks a newcomer for a name, with the rules, and then shows the account', async () => {
    const made = await accountStage(site)
    const { page, complaints } = await visitor(browser)
    const link = await made.invitation()
    await page.goto(link)
    await expect.poll(() => heading(page).textContent()).toBe('Choose your name')
    expect(page.url()).toBe(`${made.origin}/sign-in/`)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Choose your name')
    await inspect(page, 'name')
    expect(await page.locator('.account-rules li').allTextContents()).toEqual([
      'Each review earns 5 XP.',
      'With 10 XP you can edit fountains, with 20 XP add new ones.',
      'What you contribute is public and stays in the history; you can leave at any time.',
    ])
    await page.getByRole('button', { name: 'Begin' }).click()
    await expect.poll(() => problem(page).textContent()).toBe('Enter a name of at most 80 characters.')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('new-name')
    await page.keyboard.type(hostileName)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/')
    await expect.poll(() => page.locator('#account-title').textContent()).toBe(hostileName)
    expect(await page.locator('#account-link bdi').textContent()).toBe(hostileName)
    await inspect(page, 'account')
    const secret = new URL(link).hash.slice(1)
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.length]),
    )
    expect(kept).not.toContain(secret)
    await page.goBack()
    expect(page.url()).not.toContain(secret)
    await page.goto(`${made.origin}/waypoint/1/`)
    expect(await page.locator('#account-link bdi').textContent()).toBe(hostileName)
    expect(await page.locator('#account-link').getAttribute('href')).toBe('/account/')
    // The registry of this server has no fountains, which the page may have asked for by now.
    expect(complaints.filter((text) => !/status of 40[04]/u.test(text))).toEqual([])
  })

  it('that was used says so, offers what there is, and can be followed by another in the same page', async () => {
    const made = await accountStage(site)
    const link = await made.invitation('Ada')
    await made.registry.accounts.redeemLink(new URL(link).hash.slice(1))
    const { page } = await visitor(browser)
    await page.goto(link)
    await expect
      .poll(() => problem(page).textContent())
      .toBe('This link was used or has expired. Ask for a new one.')
    expect(await page.locator('[data-registration]').textContent()).toContain('need an invitation')
    await inspect(page, 'used-link')
    await page.evaluate(
      (next) => {
        location.href = next
      },
      await made.invitation('Béla'),
    )
    await page.waitForURL('**/account/')
    await expect.poll(() => page.locator('#account-title').textContent()).toBe('Béla')
    await page.goto(link)
    await expect
      .poll(() => problem(page).textContent())
      .toBe('This link was used or has expired. Ask for a new one.')
    await page.getByText('You are signed in as Béla').waitFor()
  })

  it('that invites says so where there are no new accounts, and keeps', async () => {
    const made = await accountStage(site, async () => ({ registration: 'closed' }))
    const link = await made.invitation('Ada')
    const { page } = await visitor(browser)
    await page.goto(link)
    await expect.poll(() => problem(page).textContent()).toContain('take no new accounts at the moment')
    expect(await page.locator('[data-registration]').textContent()).toBe(
      'There are no new accounts here at the moment.',
    )
    await inspect(page, 'closed')
    expect(await made.registry.accounts.redeemLink(new URL(link).hash.slice(1))).toMatchObject({
      isNew: true,
    })
  })
})

describe('passkeys', () => {
  it('are added, sign in without a name, are renamed and removed', async () => {
    const made = await accountStage(site)
    const { page, complaints } = await member(made)
    await addPasskey(page)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Passkeys')
    await expect.poll(() => status(page).textContent()).toBe('Done.')
    await signOut(page)
    expect(await page.locator('#account-link bdi').textContent()).toBe('Sign in')
    await inspect(page, 'sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/account/')
    await page.getByRole('button', { name: 'Rename: Phone' }).click()
    await page.keyboard.type('<b>Mine</b>')
    await inspect(page, 'rename')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#passkeys .item-title').textContent()).toBe('<b>Mine</b>')
    await page.getByRole('button', { name: 'Remove: <b>Mine</b>' }).click()
    await inspect(page, 'ask')
    await agree(page)
    await expect
      .poll(() => problem(page).textContent())
      .toBe('This is your last way to sign in. Add another one first.')
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  })

  it('are offered where the browser fills in the address', async () => {
    const mails = await mailServer()
    const made = await accountStage(site, async () => ({ mail: { smtp: mails.url, from: 'a@example.org' } }))
    const { page } = await visitor(browser)
    await page.addInitScript(() => {
      const wanted: unknown[] = []
      Object.assign(window, { wanted })
      const real = navigator.credentials.get.bind(navigator.credentials)
      navigator.credentials.get = (options) => {
        wanted.push(options?.mediation)
        return real(options)
      }
    })
    await page.goto(`${made.origin}/sign-in/`)
    await expect.poll(() => page.evaluate('window.wanted')).toEqual(['conditional'])
    expect(await page.getByLabel('E-mail address').getAttribute('autocomplete')).toBe('username webauthn')
  })
})

describe('a code', () => {
  const withMail = async () => {
    const mails = await mailServer()
    const made = await accountStage(site, async () => ({
      mail: { smtp: mails.url, from: 'Fountains <fountains@example.org>' },
      registration: 'open',
    }))
    return { ...made, mails }
  }

  it('comes by mail in the language of the page, and lets a newcomer in by the keyboard alone', async () => {
    const { origin, mails } = await withMail()
    const { page, complaints } = await visitor(browser)
    await page.goto(`${origin}/de/sign-in/`)
    await page.getByLabel('E-Mail-Adresse').focus()
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    await expect.poll(() => problem(page).textContent()).toContain('zum Beispiel ada@example.org')
    expect(await page.getByLabel('E-Mail-Adresse').getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('End')
    await page.keyboard.type('@example.org')
    await page.keyboard.press('Enter')
    const mail = await mails.next('ada@example.org')
    expect(mail.text).toContain('Minuten')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('sign-in-code')
    await inspect(page, 'code')
    const wrong = mail.code === '00000000' ? '11111111' : '00000000'
    await page.keyboard.type(wrong)
    await page.keyboard.press('Enter')
    await expect.poll(() => problem(page).textContent()).toContain('Du hast noch 4 Versuche.')
    await page.getByLabel('Code').fill(`${mail.code.slice(0, 4)} ${mail.code.slice(4)}`)
    await page.keyboard.press('Enter')
    await expect.poll(() => heading(page).textContent()).toBe('Wähle deinen Namen')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/de/account/')
    await expect.poll(() => page.locator('#others .item-title').textContent()).toBe('ada@example.org')
    await inspect(page, 'account-german')
    expect(complaints.filter((text) => !/status of 40[01]/u.test(text))).toEqual([])
  })

  it('is redeemed by the link of the mail in the browser that asked, and in no other', async () => {
    const { origin, mails } = await withMail()
    const { page } = await visitor(browser)
    await page.goto(`${origin}/sign-in/`)
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByRole('button', { name: 'Send a code' }).click()
    const { text } = await mails.next('ada@example.org')
    const link = /http\S+/u.exec(text)?.[0] ?? ''
    const other = await visitor(browser)
    await other.page.goto(link)
    await expect
      .poll(() => problem(other.page).textContent())
      .toBe('This code is no longer valid. Ask for a new one.')
    expect(other.page.url()).toBe(`${origin}/sign-in/`)
    await page.goto(link)
    await expect.poll(() => heading(page).textContent()).toBe('Choose your name')
    expect(page.url()).toBe(`${origin}/sign-in/`)
  })

  it('adds an address, once its owner has signed in again', async () => {
    const made = await withMail()
    const { page } = await member(made)
    await addPasskey(page)
    made.clock.advance({ minutes: 11 })
    await page.locator('#add-email').fill('ada@example.org')
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.locator('#again[open]').waitFor()
    await inspect(page, 'again')
    await page.keyboard.press('Escape')
    await expect.poll(() => problem(page).textContent()).toContain('This needs a recent sign-in.')
    await page.getByRole('button', { name: 'Add an address' }).click()
    await page.locator('#again').getByRole('button', { name: 'Sign in with a passkey' }).click()
    const { code } = await made.mails.next('ada@example.org')
    await page.locator('#add-code').fill(code)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#others .item-title').textContent()).toBe('ada@example.org')
    await page.getByRole('button', { name: 'Remove: Phone' }).click()
    await agree(page)
    await expect.poll(() => page.locator('#passkeys .item').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Passkeys')
  })
})

describe('a provider', () => {
  it('signs in, is added to an account, and says what to do when that fails', async () => {
    let provider: IdentityProvider | undefined
    const made = await accountStage(site, async (origin) => {
      provider = await identityProvider(origin, { id: 'osm' })
      provider.person = { sub: 'ada', name: 'Ada' }
      const { issuer, clientId, clientSecret } = provider
      return {
        registration: 'open',
        providers: [{ id: 'osm', name: 'OpenStreetMap', kind: 'openid', issuer, clientId, clientSecret }],
      }
    })
    const { page } = await visitor(browser)
    await page.goto(`${made.origin}/sign-in/`)
    await page.getByRole('link', { name: 'Continue with OpenStreetMap' }).click()
    await page.waitForURL('**/account/')
    await expect.poll(() => page.locator('#others .item-title').textContent()).toBe('OpenStreetMap: Ada')
    const other = await member(made, 'Béla')
    await other.page.getByRole('button', { name: 'Add OpenStreetMap' }).click()
    await expect
      .poll(() => problem(other.page).textContent())
      .toContain('This belongs to another account here.')
    expect(other.page.url()).toBe(`${made.origin}/sign-in/`)
    await inspect(other.page, 'provider-refused')
    if (provider) provider.person = { sub: 'chen', name: 'Chen' }
    const third = await member(made, 'Chen')
    await third.page.getByRole('button', { name: 'Add OpenStreetMap' }).click()
    await third.page.waitForURL('**/account/')
    await expect
      .poll(() => third.page.locator('#others .item-title').allTextContents())
      .toEqual(['OpenStreetMap: Chen'])
    expect(await third.page.getByRole('button', { name: 'Add OpenStreetMap' }).count()).toBe(0)
  })

  it('that cannot be reached is said to be so, and other ways are there', async () => {
    const made = await accountStage(site, async (origin) => {
      const { end, issuer, clientId, clientSecret } = await identityProvider(origin, { id: 'osm' })
      await end()
      return {
        providers: [{ id: 'osm', name: 'OpenStreetMap', kind: 'openid', issuer, clientId, clientSecret }],
      }
    })
    const { page } = await visitor(browser)
    await page.goto(`${made.origin}/sign-in/`)
    await page.getByRole('link', { name: 'OpenStreetMap' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('provider cannot be reached')
    expect(await page.getByRole('link', { name: 'Continue with OpenStreetMap' }).count()).toBe(1)
  })
})

describe('an account', () => {
  it('has its name and address changed, and shows an error where it belongs', async () => {
    const made = await accountStage(site)
    const { page } = await member(made)
    await page.getByLabel('Name', { exact: true }).fill('Ada Brook')
    await page.getByLabel('E-mail address for contact').fill('ada@')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('Enter an e-mail address')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('own-email')
    await page.keyboard.type('example.org')
    await page.keyboard.press('Enter')
    await expect.poll(() => status(page).textContent()).toBe('Saved.')
    expect(await page.locator('#account-link bdi').textContent()).toBe('Ada Brook')
    await page.reload()
    await expect
      .poll(() => page.getByLabel('E-mail address for contact').inputValue())
      .toBe('ada@example.org')
  })

  it('says why its owner is blocked', async () => {
    const made = await accountStage(site)
    const { page } = await member(made)
    const ada = (await made.registry.users.list()).users.find(({ name }) => name === 'Ada')
    const { id } = await made.registry.users.create({ name: 'Mo', isModerator: true })
    await made.registry.users.block(ada?.id ?? '', { reason: '<b>spam</b>' }, user(id))
    await page.getByLabel('Name', { exact: true }).fill('Eve')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => problem(page).textContent()).toBe('You are blocked: <b>spam</b>')
  })

  it('signs out other devices, and finds itself signed out where that was done', async () => {
    const made = await accountStage(site)
    const phone = await member(made)
    const id = (await made.registry.users.list()).users.find(({ name }) => name === 'Ada')?.id ?? ''
    const laptop = await visitor(browser)
    const { session } = await made.registry.sessions.create(id)
    await laptop.context.addCookies([{ name: 'session', value: session, url: made.origin }])
    await made.registry.personalTokens.create(id, { name: 'Script' })
    await laptop.page.goto(`${made.origin}/account/`)
    await expect.poll(() => laptop.page.locator('#devices .item').count()).toBe(2)
    await inspect(laptop.page, 'devices')
    await laptop.page.getByLabel('Revoke all personal tokens too').check()
    await laptop.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await agree(laptop.page)
    await expect.poll(() => laptop.page.locator('#devices .item').count()).toBe(1)
    await expect.poll(() => laptop.page.locator('#tokens .item').count()).toBe(0)
    await phone.page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => problem(phone.page).textContent())
      .toBe('You are no longer signed in. Sign in again.')
    await phone.page.reload()
    await expect.poll(() => heading(phone.page).textContent()).toBe('You are not signed in')
    expect(await phone.page.locator('#step-account').isVisible()).toBe(false)
    await inspect(phone.page, 'signed-out')
    await phone.page.reload()
    expect(await phone.page.locator('#account-link bdi').textContent()).toBe('Sign in')
  })

  it('makes a token that is shown once, and revokes it', async () => {
    const made = await accountStage(site)
    const { page } = await member(made)
    await page.getByLabel('Name of the token').fill('<i>Script</i>\u2028')
    await page.getByLabel('Valid for').selectOption('7')
    await page.getByRole('button', { name: 'Make a token' }).click()
    await expect.poll(() => page.locator('[data-secret]').textContent()).toMatch(/^ofp_/u)
    const secret = (await page.locator('[data-secret]').textContent()) ?? ''
    expect(await page.locator('#tokens .item-title').textContent()).toBe('<i>Script</i>')
    await inspect(page, 'token')
    const asked = () => fetch(`${made.origin}/api/user`, { headers: { authorization: `Bearer ${secret}` } })
    expect((await asked()).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await agree(page)
    await expect.poll(() => page.locator('#tokens .item').count()).toBe(0)
    expect((await asked()).status).toBe(401)
  })

  it('gives its data, and is gone once its owner typed the own name', async () => {
    const made = await accountStage(site)
    const { page, complaints } = await member(made)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download my data' }).click()
    expect((await downloading).suggestedFilename()).toBe('my-data.json')
    await page.getByLabel('Erase my texts too').check()
    await page.getByLabel('Type your name').fill('Eve')
    await page.getByRole('button', { name: 'Leave for good' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('This is not your name.')
    await inspect(page, 'leaving')
    await page.getByLabel('Type your name').fill('Ada')
    // What was typed into a form and not sent is theirs as well.
    await page.evaluate(() => localStorage.setItem('draft:add', '{"values":{"name":"Well of Ada"}}'))
    await page.keyboard.press('Enter')
    await expect.poll(() => heading(page).textContent()).toBe('You have left')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('You have left')
    expect((await made.registry.users.list()).total).toBe(0)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Ada')
    await inspect(page, 'left')
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
  })

  it('says what to do when the server cannot be reached', async () => {
    const made = await accountStage(site)
    const { page, context } = await member(made)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => problem(page).textContent()).toContain('The server cannot be reached.')
  })

  it.each(['account/', 'sign-in/'])('offers at /%s to try again when the server was away', async (path) => {
    const made = await accountStage(site)
    const { page } = await member(made)
    await page.route('**/api/auth', (route) => route.abort())
    await page.goto(`${made.origin}/${path}`)
    await expect.poll(() => problem(page).textContent()).toContain('The server cannot be reached.')
    await inspect(page, 'server-away')
    await page.unroute('**/api/auth')
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText(path === 'account/' ? 'Level 1' : 'You are signed in as Ada').waitFor()
  })
})

describe('a site without an API', () => {
  it('has nothing about accounts in any of its files', async () => {
    const out = join(await freshFolder(), 'site')
    await buildSite({ data: await exportSample({ waypoints: 0 }), out, languages: ['en', 'de'] })
    const files = await filesOf(out)
    expect(files.filter((path) => /account|sign-in/u.test(path))).toEqual([])
    const traces: string[] = []
    for (const path of files) {
      const text = await readFile(join(out, path), 'utf8')
      if (/sign-in|account-link|webauthn|startAuthentication/iu.test(text)) traces.push(path)
    }
    expect(traces).toEqual([])
    expect(files).toContain('about/index.html')
  })
})

describe('a site with an API of another origin', () => {
  it('lets its pages reach that origin alone, and leads to no provider', async () => {
    const out = join(await freshFolder(), 'site')
    const api = 'https://api.fountains.example/v1/'
    const data = await exportSample({ waypoints: 0 })
    const { contentSecurityPolicy } = await buildSite({ data, out, api, languages: ['en'] })
    expect(contentSecurityPolicy).toContain("connect-src 'self' https://api.fountains.example;")
    const page = await readFile(join(out, 'sign-in/index.html'), 'utf8')
    expect(page).toContain('"api":"https://api.fountains.example/v1","offersProviders":false')
    expect(page).toContain('<meta name="robots" content="noindex">')
  })
})
