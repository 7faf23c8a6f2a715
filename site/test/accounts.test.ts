/** @module-tag browser */
import { join } from 'node:path'
import { defaultRules } from '@openfountain/core/rules'
import { identityProvider, type IdentityProvider } from '@openfountain/testing/accounts/identity-provider'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { focused, says } from '@openfountain/testing/browser/page'
import { textIn, newFolder } from '@openfountain/testing/folder'
import {
  accountStage,
  inspect,
  signInOn,
  visitor,
  type AccountStage,
} from '@openfountain/testing/site/account-stage'
import { filesOf } from '@openfountain/testing/site/built-site'
import { builtSite, exportOf } from '@openfountain/testing/site/sites'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildSite } from '../src/index.ts'

const site = await builtSite('sample with API')

const hostileName = '<img src=x onerror=alert(1)> "Ada" \u200Fאדה'

const problem = (page: Page) => page.locator('.problem:not(:empty):visible')
const status = (page: Page) => page.locator('#account-status')
const heading = (page: Page) => page.locator('#account-title')
const whose = (page: Page) => page.locator('#account-link bdi')
const others = (page: Page) => page.locator('#others .item-title')
const button = (page: Page, name: string) => page.getByRole('button', { name })
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id)

async function member({ invitation }: AccountStage, name = 'Ada') {
  const made = await visitor()
  await signInOn(made.page, await invitation(name))
  return made
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByLabel('Name of the new passkey').fill('Phone')
  await button(page, 'Add a passkey').click()
  await page.locator('#passkeys .item', { hasText: 'Phone' }).waitFor()
}

const agree = (page: Page) => page.locator('#ask-yes').click()

async function withMail() {
  const mails = await mailServer()
  const mail = { smtp: mails.url, from: 'Fountains <fountains@example.org>' }
  return { ...(await accountStage(site, async () => ({ mail, registration: 'open' }))), mails }
}

it('a link of an invitation asks a newcomer for a name, with the rules, and then leads to the map', async () => {
  const made = await accountStage(site)
  const { page, complaints } = await visitor()
  const link = await made.invitation()
  await page.goto(link)
  await says(heading(page), 'Choose your name')
  expect(page.url()).toBe(`${made.origin}/sign-in/`)
  expect(await focused(page)).toBe('Choose your name')
  await inspect(page, 'name')
  expect(await page.locator('.notice').textContent()).toMatch(/^What you contribute is public/u)
  const ways = page.locator('.earnings tbody tr')
  expect(await ways.count()).toBe(Object.keys(defaultRules.xp).length)
  await says(ways.filter({ hasText: 'Add a fountain' }), /\+50\s*20$/u)
  await button(page, 'Begin').click()
  await says(problem(page), 'Enter a name of at most 80 characters.')
  expect(await focusedId(page)).toBe('new-name')
  await page.keyboard.type(hostileName)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${made.origin}/`)
  await says(whose(page), hostileName)
  await page.locator('#account-link').click()
  await says(heading(page), hostileName)
  await inspect(page, 'account')
  const secret = new URL(link).hash.slice(1)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(secret)
  await page.goBack()
  expect(page.url()).not.toContain(secret)
  await page.goto(`${made.origin}/waypoint/1/`)
  await says(whose(page), hostileName)
  expect(await page.locator('#account-link').getAttribute('href')).toBe('/account/')
  // The registry of this server has no fountains, which the page may have asked for by now.
  expect(complaints.filter((text) => !/status of 40[04]/u.test(text))).toEqual([])
})

it('a link that was used says so, offers what there is, and can be followed by another in the same page', async () => {
  const made = await accountStage(site)
  const link = await made.invitation('Ada')
  await made.registry.accounts.redeemLink(new URL(link).hash.slice(1))
  const { page } = await visitor()
  await page.goto(link)
  await says(problem(page), 'This link was used or has expired. Ask for a new one.')
  expect(await page.locator('[data-registration]').textContent()).toContain('need an invitation')
  await inspect(page, 'used-link')
  const next = await made.invitation('Béla')
  await page.evaluate((address) => void (location.href = address), next)
  await page.waitForURL(`${made.origin}/`)
  await says(whose(page), 'Béla')
})

it('passkeys are added, sign in without a name, are renamed and removed', async () => {
  const { page, complaints } = await member(await accountStage(site))
  await addPasskey(page)
  expect(await focused(page)).toBe('Passkeys')
  await says(status(page), 'Done.')
  await page.locator('#sign-out').click()
  await page.waitForURL('**/sign-in/')
  await page.locator('#step-ways').waitFor()
  await says(whose(page), 'Sign in')
  await inspect(page, 'sign-in')
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL('**/')
  await says(whose(page), 'Ada')
  await page.locator('#account-link').click()
  await button(page, 'Rename: Phone').click()
  await page.keyboard.type('<b>Mine</b>')
  await inspect(page, 'rename')
  await page.keyboard.press('Enter')
  await says(page.locator('#passkeys .item-title'), '<b>Mine</b>')
  await button(page, 'Remove: <b>Mine</b>').click()
  await inspect(page, 'ask')
  await agree(page)
  await says(problem(page), 'This is your last way to sign in. Add another one first.')
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
})

it('a code comes by mail in the language of the page, and lets a newcomer in by the keyboard alone', async () => {
  const { origin, mails } = await withMail()
  const { page, complaints } = await visitor()
  await page.goto(`${origin}/de/sign-in/`)
  await page.getByLabel('E-Mail-Adresse').focus()
  await page.keyboard.type('ada')
  await page.keyboard.press('Enter')
  await says(problem(page), /zum Beispiel ada@example\.org/u)
  expect(await page.getByLabel('E-Mail-Adresse').getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.press('End')
  await page.keyboard.type('@example.org')
  await page.keyboard.press('Enter')
  const { text, code } = await mails.next('ada@example.org')
  expect(text).toContain('Minuten')
  await expect.poll(() => focusedId(page)).toBe('sign-in-code')
  await inspect(page, 'code')
  await page.keyboard.type(code === '00000000' ? '11111111' : '00000000')
  await page.keyboard.press('Enter')
  await says(problem(page), /Du hast noch 4 Versuche\./u)
  await page.getByLabel('Code').fill(`${code.slice(0, 4)} ${code.slice(4)}`)
  await page.keyboard.press('Enter')
  await says(heading(page), 'Wähle deinen Namen')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/de/`)
  await page.locator('#account-link').click()
  await says(others(page), 'ada@example.org')
  await inspect(page, 'account-german')
  expect(complaints.filter((each) => !/status of 40[01]/u.test(each))).toEqual([])
})

it('a code is redeemed by the link of the mail in the browser that asked, where passkeys are offered in the field', async () => {
  const { origin, mails } = await withMail()
  const { page } = await visitor()
  await page.addInitScript(() => {
    const real = navigator.credentials.get.bind(navigator.credentials)
    const wanted: unknown[] = []
    Object.assign(window, { wanted })
    navigator.credentials.get = (options) => {
      wanted.push(options?.mediation ?? 'none')
      return real(options)
    }
  })
  await page.goto(`${origin}/sign-in/`)
  await expect.poll(() => page.evaluate('window.wanted')).toEqual(['conditional'])
  await button(page, 'Sign in with a passkey').click()
  await expect.poll(() => page.evaluate('window.wanted')).toEqual(['conditional', 'none'])
  const address = page.getByLabel('E-mail address')
  expect(await address.getAttribute('autocomplete')).toBe('username webauthn')
  await address.fill('ada@example.org')
  await button(page, 'Send a code').click()
  const { text } = await mails.next('ada@example.org')
  await button(page, 'Use another address').click()
  expect(await address.inputValue()).toBe('ada@example.org')
  await page.goto(/http\S+/u.exec(text)?.[0] ?? '')
  await says(heading(page), 'Choose your name')
  expect(page.url()).toBe(`${origin}/sign-in/`)
})

it('a code adds an address, once its owner has signed in again', async () => {
  const made = await withMail()
  const { page } = await member(made)
  await addPasskey(page)
  made.clock.advance({ minutes: 11 })
  await page.locator('#add-email').fill('ada@example.org')
  await button(page, 'Add an address').click()
  await page.locator('#again[open]').waitFor()
  await inspect(page, 'again')
  await page.keyboard.press('Escape')
  await says(problem(page), /This needs a recent sign-in\./u)
  await button(page, 'Add an address').click()
  await page.locator('#again').getByRole('button', { name: 'Sign in with a passkey' }).click()
  const { code } = await made.mails.next('ada@example.org')
  await page.locator('#add-code').fill(code)
  await page.keyboard.press('Enter')
  await says(others(page), 'ada@example.org')
  await button(page, 'Remove: Phone').click()
  await agree(page)
  await expect.poll(() => page.locator('#passkeys .item').count()).toBe(0)
  expect(await focused(page)).toBe('Passkeys')
})

async function withProvider(person: IdentityProvider['person']) {
  return accountStage(site, async (origin) => {
    const provider = await identityProvider(origin, { id: 'osm' })
    provider.person = person
    const { issuer, clientId, clientSecret } = provider
    const offered = { id: 'osm', name: 'OpenStreetMap', issuer, clientId, clientSecret }
    return { registration: 'open', providers: [{ ...offered, kind: 'openid' }] }
  })
}

it('a provider signs in, and says what to do where it belongs to another account', async () => {
  const person = { sub: 'ada', name: 'Ada' }
  const made = await withProvider(person)
  const { page } = await visitor()
  await page.goto(`${made.origin}/sign-in/`)
  await page.getByRole('link', { name: 'Continue with OpenStreetMap' }).click()
  await page.waitForURL(`${made.origin}/`)
  await page.locator('#account-link').click()
  await says(others(page), 'OpenStreetMap: Ada')
  const other = await member(made, 'Béla')
  await button(other.page, 'Add OpenStreetMap').click()
  await says(problem(other.page), /This belongs to another account here\./u)
  expect(other.page.url()).toBe(`${made.origin}/sign-in/`)
  await inspect(other.page, 'provider-refused')
})

it('an account has its name changed, makes a token, signs out other devices, gives its data, and is gone once its owner typed the own name', async () => {
  const made = await accountStage(site)
  const { page: phone } = await member(made)
  const email = phone.getByLabel('E-mail address for contact')
  await phone.getByLabel('Name', { exact: true }).fill('Ada Brook')
  await email.fill('ada@')
  await button(phone, 'Save').click()
  await says(problem(phone), /Enter an e-mail address/u)
  expect(await focusedId(phone)).toBe('own-email')
  await phone.keyboard.type('example.org')
  await phone.keyboard.press('Enter')
  await says(status(phone), 'Saved.')
  await says(whose(phone), 'Ada Brook')
  await phone.getByLabel('Name of the token').fill('<i>Script</i>\u2028')
  await phone.getByLabel('Valid for').selectOption('7')
  // The secret is shown only once, also when a list cannot be read again.
  const lists = '**/api/user/*'
  await phone.route(lists, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()))
  await button(phone, 'Make a token').click()
  await says(phone.locator('[data-secret]'), /^ofp_/u)
  const secret = (await phone.locator('[data-secret]').textContent()) ?? ''
  await says(phone.locator('#tokens .item-title'), '<i>Script</i>')
  await inspect(phone, 'token')
  const asked = () => fetch(`${made.origin}/api/user`, { headers: { authorization: `Bearer ${secret}` } })
  expect((await asked()).status).toBe(200)
  await phone.unroute(lists)
  await phone.reload()
  await expect.poll(() => email.inputValue()).toBe('ada@example.org')
  await button(phone, 'Revoke').waitFor()
  expect(await phone.content()).not.toContain(secret)
  await button(phone, 'Revoke').click()
  await agree(phone)
  await expect.poll(() => phone.locator('#tokens .item').count()).toBe(0)
  expect((await asked()).status).toBe(401)

  const [{ id } = { id: '' }] = (await made.registry.users.list()).users
  const { page, context, complaints } = await visitor()
  const { session } = await made.registry.sessions.create(id)
  await context.addCookies([{ name: 'session', value: session, url: made.origin }])
  await made.registry.personalTokens.create(id, { name: 'Script' })
  await page.goto(`${made.origin}/account/`)
  await expect.poll(() => page.locator('#devices .item').count()).toBe(2)
  await inspect(page, 'devices')
  await page.getByLabel('Revoke all personal tokens too').check()
  await button(page, 'Sign out everywhere else').click()
  await agree(page)
  await expect.poll(() => page.locator('#devices .item').count()).toBe(1)
  await expect.poll(() => page.locator('#tokens .item').count()).toBe(0)
  await button(phone, 'Save').click()
  await says(problem(phone), 'You are no longer signed in. Sign in again.')
  await phone.reload()
  await says(heading(phone), 'You are not signed in')
  expect(await phone.locator('#step-account').isVisible()).toBe(false)
  await inspect(phone, 'signed-out')
  await phone.reload()
  await says(whose(phone), 'Sign in')

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  expect((await downloading).suggestedFilename()).toBe('my-data.json')
  await page.getByLabel('Erase my texts too').check()
  await page.getByLabel('Type your name').fill('Eve')
  await button(page, 'Leave for good').click()
  await says(problem(page), /This is not your name\./u)
  await inspect(page, 'leaving')
  await page.getByLabel('Type your name').fill('Ada Brook')
  await page.evaluate(() => localStorage.setItem('draft:add', '{"values":{"name":"Well of Ada"}}'))
  await page.keyboard.press('Enter')
  await says(heading(page), 'You have left')
  expect(await focused(page)).toBe('You have left')
  expect((await made.registry.users.list()).total).toBe(0)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Ada')
  await inspect(page, 'left')
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})

it.each([
  ['account/', 'Level 1'],
  ['sign-in/', 'You are signed in as Ada'],
])('an account offers at /%s to try again when the server was away', async (path, text) => {
  const made = await accountStage(site)
  const { page, context } = await member(made)
  await context.setOffline(true)
  await button(page, 'Save').click()
  await says(problem(page), /The server cannot be reached\./u)
  await context.setOffline(false)
  await page.route('**/api/auth', (route) => route.abort())
  await page.goto(`${made.origin}/${path}`)
  await says(problem(page), /The server cannot be reached\./u)
  await inspect(page, 'server-away')
  await page.unroute('**/api/auth')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(text).waitFor()
})

it('a site without an API has nothing about accounts, contributing and changes, and its rules say how people contribute there', async () => {
  const [live, out] = [await builtSite('sample with API'), await builtSite('sample')]
  const files = (await filesOf(out)).filter((path) => !path.startsWith('data/'))
  expect(files.filter((path) => /account|sign-in|live/u.test(path))).toEqual([])
  const trace = /sign-in|account-link|webauthn|startAuthentication/iu
  expect(files.filter((path) => trace.test(textIn(out, path)))).toEqual([])
  const page = (folder: string, path: string) => textIn(folder, join(path, 'index.html'))
  const parts = /data-(?:live|review|waypoint|page-of|contribute)|"live"|js\/live/u
  for (const path of ['', 'waypoint/1', 'contributor/person-1', 'changes', 'regions/old-harbour']) {
    expect(page(out, path), path).not.toMatch(parts)
    expect(page(live, path), path).toMatch(parts)
  }
  expect(page(live, 'how-it-works')).toContain('Whoever is signed in contributes on the map')
  expect(page(out, 'how-it-works')).not.toContain('on the map and on the pages')
  expect(page(out, 'how-it-works')).toContain('Contributions are made through the API')
})

it('a site with an API of another origin lets its pages reach that origin alone, and leads to no provider', async () => {
  const out = join(newFolder(), 'site')
  const api = 'https://api.fountains.example/v1/'
  const data = await exportOf('sample')
  const { contentSecurityPolicy } = await buildSite({ data, out, api, languages: ['en'], pages: 'none' })
  expect(contentSecurityPolicy).toContain("connect-src 'self' https://api.fountains.example;")
  const page = textIn(out, 'sign-in/index.html')
  expect(page).toContain('data-api="https://api.fountains.example/v1"')
  expect(page).toContain('"offersProviders":false')
  expect(page).toContain('<meta name="robots" content="noindex">')
})
