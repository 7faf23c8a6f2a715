/** @module-tag browser */
import { user } from '@openfountain/core'
import { says } from '@openfountain/testing/browser/page'
import { everywhere, inspect } from '@openfountain/testing/site/account-stage'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { atSquare, contributeStage, notice, press, problems, sheet, walker } from './walker.ts'

const halves = async (page: Page, width = 400, height = 200): Promise<Buffer> => {
  const bytes = await page.evaluate(
    async ([w, h]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: w, height: h })
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = 'white'
      context.fillRect(0, 0, w, h)
      context.fillStyle = 'black'
      context.fillRect(0, 0, w / 2, h)
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'))
      return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())]
    },
    [width, height] as const,
  )
  const comment = Buffer.from('secret place')
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([Buffer.from(bytes.slice(0, 2)), head, comment, Buffer.from(bytes.slice(2))])
}

async function pictureIn(page: Page, body: Buffer) {
  const picture = [...body]
  const read = (x: number, y: number) =>
    page.evaluate(
      async ([bytes, shareX, shareY]) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
        const { width, height } = image
        const context = new OffscreenCanvas(width, height).getContext('2d')
        if (!context) throw new Error('no canvas')
        context.drawImage(image, 0, 0)
        const [left, top] = [Math.floor(shareX * width), Math.floor(shareY * height)]
        return { width, height, red: context.getImageData(left, top, 1, 1).data[0] ?? NaN }
      },
      [picture, x, y] as const,
    )
  const { width, height } = await read(0, 0)
  return { width, height, at: async (x: number, y: number) => (await read(x, y)).red }
}

it('a photo is turned, blurred and stripped before it leaves the device, and waits in the outbox offline', async () => {
  const made = await contributeStage()
  const { page, id, context, complaints } = await walker(made, { at: atSquare })
  await press(page, 'Photo')
  const form = sheet(page, 'Photos of Market Square')
  const publish = form.getByRole('button', { name: 'Publish' })
  await publish.click()
  await says(problems(form), 'Choose a photo.')
  await form.getByLabel('Add a photo').setInputFiles([
    { name: 'halves.jpg', mimeType: 'image/jpeg', buffer: await halves(page) },
    { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
  ])
  await says(form.getByRole('alert').first(), /cannot read notes\.jpg/u)
  await form.getByRole('button', { name: 'Turn, photo 1' }).click()
  await form.getByRole('button', { name: 'Blur faces and plates, photo 1' }).click()
  const picture = form.getByRole('img', { name: 'Photos, photo 1' })
  const { x, y, width, height } = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(x + width * 0.1, y + height * 0.4)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height * 0.6, { steps: 4 })
  await page.mouse.up()
  await form.getByRole('button', { name: 'Blurred area 1' }).focus()
  await page.keyboard.press('ArrowRight')
  await form.getByRole('button', { name: 'Add an area, photo 1' }).click()
  await form.getByRole('button', { name: 'Blurred area 2' }).press('Enter')
  await form.getByLabel('What the photo shows').fill('A <b>well</b>')
  await inspect(page, 'photo', everywhere)
  await publish.click()
  await says(problems(form), /Without your agreement/u)
  await form.getByLabel(/CC-BY-4\.0/u).check()
  await context.setOffline(true)
  await publish.click()
  await says(notice(page), 'Kept on this device. It is sent as soon as there is a connection.')
  await context.setOffline(false)
  await page.goto(`${made.origin}/${atSquare}`)
  await expect.poll(() => made.registry.photos.list({ userId: id }, user(id))).toHaveLength(1)
  const [photo] = await made.registry.photos.list({ userId: id }, user(id))
  expect(photo).toMatchObject({ bubblerId: 1, license: 'CC-BY-4.0', alt: 'A <b>well</b>', state: 'waiting' })
  const file = await made.registry.photos.file(String(photo?.urls.large.slice(-69, -5)), user(id))
  if (file === 'gone') throw new Error('The file is gone')
  const body = Buffer.from(file.bytes)
  expect(body.includes('secret place')).toBe(false)
  const sent = await pictureIn(page, body)
  expect(sent).toMatchObject({ width: 200, height: 400 })
  expect(await sent.at(0.9, 0.48)).toBeLessThan(10)
  expect(await sent.at(0.9, 0.52)).toBeGreaterThan(245)
  expect(await sent.at(0.4, 0.49)).toBeGreaterThan(60)
  expect(await sent.at(0.4, 0.51)).toBeLessThan(195)
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})

it('photos sent one after the other say how far they are', async () => {
  const made = await contributeStage()
  const { page, id, context, complaints } = await walker(made, { at: atSquare })
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 3000 }
  const session = await context.newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', slow)
  await page.evaluate(() => {
    const told: unknown[] = []
    Reflect.set(globalThis, 'told', told)
    document.addEventListener('openfountain:progress', ({ detail }: CustomEvent) => {
      told.push(detail)
    })
    new MutationObserver(() => {
      told.push(document.querySelector('.photo-field [role=status]')?.textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await press(page, 'Photo')
  const form = sheet(page, 'Photos of Market Square')
  const files = await Promise.all([400, 600].map((width) => halves(page, width, 200)))
  await form
    .getByLabel('Add a photo')
    .setInputFiles(files.map((buffer, n) => ({ name: `${n}.jpg`, mimeType: 'image/jpeg', buffer })))
  await form.getByLabel(/CC-BY-4\.0/u).check()
  await form.getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => made.registry.photos.list({ userId: id }, user(id))).toHaveLength(2)
  await form.waitFor({ state: 'detached' })
  const told = (await page.evaluate(() => Reflect.get(globalThis, 'told'))) as unknown[]
  expect(told).toEqual(expect.arrayContaining([1, null, 'Sending photo 1', 'Sending photo 2']))
  expect(complaints).toEqual([])
})

it('photos for which the device has no room after a review stay in a form of their own, with what helps', async () => {
  const made = await contributeStage()
  const { page, id, complaints } = await walker(made, { at: atSquare })
  await press(page, 'Review')
  const form = sheet(page, 'Review Market Square')
  await form.locator('input[name=rating][value="4"]').check({ force: true })
  await form
    .getByLabel('Add a photo')
    .setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await halves(page) })
  await form.getByLabel(/CC-BY-4\.0/u).check()
  await page.evaluate(() => {
    const put = Reflect.get(IDBObjectStore.prototype, 'put') as (
      this: unknown,
      ...of: unknown[]
    ) => IDBRequest
    Reflect.set(
      IDBObjectStore.prototype,
      'put',
      function limited(this: unknown, value: { kind?: string }, ...rest: unknown[]) {
        const isFull = value.kind === 'photo' && !Reflect.has(globalThis, 'room')
        if (isFull) throw new DOMException('full', 'QuotaExceededError')
        return put.call(this, value, ...rest)
      },
    )
  })
  await form.getByRole('button', { name: 'Publish' }).click()
  const photos = sheet(page, 'Photos of Market Square')
  await says(photos.getByRole('alert').first(), /There is no room left on this device\./u)
  await form.waitFor({ state: 'detached' })
  expect(await made.registry.reviews.list({ userId: id })).toHaveLength(1)
  await page.evaluate(() => Reflect.set(globalThis, 'room', true))
  await photos.getByRole('button', { name: 'Publish' }).click()
  await photos.waitFor({ state: 'detached' })
  await expect.poll(() => made.registry.photos.list({ userId: id }, user(id))).toHaveLength(1)
  expect(await made.registry.reviews.list({ userId: id })).toHaveLength(1)
  await page.goto(`${made.origin}/contributions/`)
  const row = page.locator('#sent-list li', { hasText: 'Photo added' })
  await row.getByText('Edit').click()
  await inspect(page, 'own photo', everywhere)
  await row.getByLabel('What the photo shows').fill('Half a well')
  await row.getByRole('button', { name: 'Save' }).click()
  const [photo] = await made.registry.photos.list({ userId: id }, user(id))
  await expect.poll(async () => (await made.registry.photos.get(photo?.id ?? 0)).alt).toBe('Half a well')
  await row.getByText('Edit').click()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.locator('#ask-yes').click()
  await says(row.locator('.badge'), 'No longer there')
  expect(await made.registry.photos.list({ userId: id }, user(id))).toEqual([])
  expect(complaints).toEqual([])
})
