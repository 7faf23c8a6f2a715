/** @module-tag browser */
import { token, type PropertiesSchema } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { inspect } from '@openfountain/testing/site/account-stage'
import type { Locator, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  atSquare,
  contributeSite,
  contributeStage,
  press,
  problems,
  sheet,
  notice,
  walker,
} from './walker.ts'

const hostileTitle = '</script><b>Material</b>'

const properties: PropertiesSchema = {
  type: 'object',
  properties: {
    inventoryNumber: { type: 'string', title: 'Inventory number', pattern: '^[A-Z]-[0-9]+$' },
    height: { type: 'number', title: 'Height', description: 'Of the spout', exclusiveMinimum: 0, maximum: 3 },
    // As zod declares any whole number.
    jets: { type: 'integer', title: 'Jets', minimum: -9007199254740991, maximum: 9007199254740991 },
    isHeated: { type: 'boolean', title: 'Heated in winter' },
    material: { type: 'string', enum: ['stone', 'metal'], title: hostileTitle },
    inspected: { type: 'string', format: 'date', title: 'Last inspection' },
    page: { type: 'string', format: 'uri', title: 'Page of the city' },
    inspectedBy: { type: 'array', items: { type: 'string' }, title: 'Inspected by' },
    parts: { type: 'array', items: { type: 'string', enum: ['basin', 'jet', 'step'] }, title: 'Parts' },
  },
}

const site = await contributeSite({ properties })
const save = (form: Locator) => form.getByRole('button', { name: 'Save' }).click()
const bodies = (writes: readonly Request[]) => writes.map((write) => write.postDataJSON() as unknown)

test('a custom field is edited by a control of its type, and what changed of them is sent', async () => {
  const made = await contributeStage({ properties }, site)
  const stored = { inventoryNumber: 'A-1', height: 0.8, isHeated: true, parts: ['jet'], inspectedBy: ['Ada'] }
  await made.registry.waypoints.update(1, { properties: stored }, token())
  const { page, complaints, writes } = await walker(made, { xp: 10, at: atSquare })
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  await expect.poll(() => form.getByLabel('Inventory number').inputValue()).toBe('A-1')
  expect(await form.getByLabel('Height').inputValue()).toBe('0.8')
  expect(await form.getByLabel('Heated in winter').inputValue()).toBe('true')
  expect(await form.getByLabel('Inspected by').inputValue()).toBe('Ada')
  expect(await form.getByLabel('jet', { exact: true }).isChecked()).toBe(true)
  expect(await form.locator('label', { hasText: hostileTitle }).count()).toBe(1)
  expect(await form.getByText('Of the spout · > 0 · ≤ 3').count()).toBe(1)
  expect(await form.getByText('9007199254740991').count()).toBe(0)
  await inspect(page, 'the custom fields of a fountain')
  await form.getByLabel('Height').fill('7')
  await save(form)
  await says(problems(form), 'This was not accepted. Change it, or leave it out.')
  expect(writes).toEqual([])
  await form.getByLabel('Height').fill('1.25')
  await form.getByLabel('Inventory number').fill('none')
  await save(form)
  await expect.poll(() => form.getByLabel('Inventory number').getAttribute('aria-invalid')).toBe('true')
  expect(await problems(form).count()).toBe(1)

  await form.getByLabel('Inventory number').fill('')
  await form.getByLabel('Jets').fill('2')
  await form.getByLabel('Heated in winter').selectOption('No')
  await form.getByLabel(hostileTitle).selectOption('stone')
  await form.getByLabel('Last inspection').fill('2026-01-02')
  await form.getByLabel('Page of the city').fill('https://city.example/1')
  await form.getByLabel('Inspected by').fill('Ada\n\n <i>Béla</i> \n')
  await form.getByLabel('basin').check()
  await save(form)
  await says(notice(page), /^Saved\. Thank you!/u)
  const plain = { height: 1.25, jets: 2, isHeated: false, material: 'stone', inspected: '2026-01-02' }
  const lists = { inspectedBy: ['Ada', '<i>Béla</i>'], parts: ['basin', 'jet'] }
  const sent = { ...plain, page: 'https://city.example/1', ...lists }
  expect(bodies(writes).at(-1)).toEqual({ properties: { inventoryNumber: null, ...sent } })
  expect((await made.registry.waypoints.get(1)).properties).toEqual(sent)
  expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([])
})

test('what was stored under another declaration stays until another value is entered', async () => {
  const text = { type: 'string' } as const
  const older = { ...properties.properties, height: text, material: text, page: text, isHeated: text }
  const made = await contributeStage({ properties: { type: 'object', properties: older } }, site)
  const stored = { height: 'low', material: 'wood', page: 'none', isHeated: 'a little', parts: ['basin'] }
  await made.registry.waypoints.update(1, { properties: stored }, token())
  const { page, writes } = await walker(made, { xp: 10, at: atSquare })
  await press(page, 'Edit')
  const form = sheet(page, 'Edit Market Square')
  await form.getByLabel('Jets').fill('2')
  await form.getByLabel(hostileTitle).selectOption('metal')
  await save(form)
  await form.waitFor({ state: 'detached' })
  const entered = { jets: 2, material: 'metal' }
  expect(bodies(writes)).toEqual([{ properties: entered }])
  expect((await made.registry.waypoints.get(1)).properties).toEqual({ ...stored, ...entered })
})
