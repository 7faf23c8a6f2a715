/** @module-tag browser */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, nodeListener } from '@openfountain/server'
import { expect, test } from 'vitest'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { stage } from '@openfountain/testing/accounts/stage'
import { identityProvider } from '@openfountain/testing/accounts/identity-provider'
import { afterwards } from '@openfountain/testing/afterwards'

test('a browser that a provider of another site sends back has its cookies, and comes back to where it was', async () => {
  const server = createServer()
  server.listen(0, 'localhost')
  await once(server, 'listening')
  afterwards(async () => {
    server.closeAllConnections()
    server.close()
  })
  const publicUrl = `http://localhost:${(server.address() as AddressInfo).port}`
  const city = await identityProvider(publicUrl, { id: 'city' })
  city.person = { sub: 'ada', name: 'Ada' }
  const { issuer, clientId, clientSecret } = city
  const providers = [{ id: 'city', name: 'City', issuer, clientId, clientSecret }]
  const { registry, ways } = await stage({ publicUrl, registration: 'open', providers })
  server.on('request', nodeListener(createApp(registry, { publicUrl, accounts: ways })))

  const browser = await startChromium()
  afterwards(() => browser.close())
  const page = await browser.newPage()
  // The issuer is 127.0.0.1, which is another site than localhost.
  await page.goto(`${publicUrl}/api/auth/providers/city?returnTo=/api/stats`)
  expect(page.url()).toBe(`${publicUrl}/api/stats`)
  expect(city.requests).toContain('GET /auth')
  expect(await page.evaluate('document.cookie')).toBe('')
  const response = await page.goto(`${publicUrl}/api/user`)
  expect(await response?.json()).toMatchObject({ user: { name: 'Ada' } })
})
