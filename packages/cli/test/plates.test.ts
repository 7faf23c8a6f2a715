import { readFile } from 'node:fs/promises'
import { workplace } from '@openfountain/testing/command/shell'
import { codeIn } from '@openfountain/testing/qr-code'
import { expect, test } from 'vitest'

const address = '--public-url https://fountains.example'

test('plates has a page for each fountain of a region, or of those that are named, in the language of the registry', async () => {
  const { at, json, run } = await workplace({
    'f.csv':
      'id,name,latitude,longitude,region\na,"A & B",47.37,8.54,Altstadt\nb,,47.38,8.55,Altstadt\nc,Spring,47.4,8.5,Höngg\n',
  })
  await json('import f.csv --source Cities --license CC0-1.0')
  expect(await json(`plates --region Altstadt --out plates ${address} --language de`)).toEqual({
    file: 'plates/plates.html',
    plates: 2,
    language: 'de',
  })
  const file = await readFile(at('plates/plates.html'), 'utf8')
  expect(file).toMatch(/^<!doctype html>\n<html lang="de" dir="ltr">/u)
  expect(file).toContain('A &amp; B')
  const plates = file.split('<li').slice(1)
  expect(plates.map(codeIn)).toEqual([1, 2].map((id) => `https://fountains.example/waypoint/${id}/`))
  expect(plates[1]).toContain('Wasserstelle')
  expect(await json(`plates --id 3 --out plates ${address} --site-base /map`)).toMatchObject({ plates: 1 })
  expect(codeIn(await readFile(at('plates/plates.html'), 'utf8'))).toBe(
    'https://fountains.example/map/waypoint/3/',
  )
  expect(await run(`plates --region Nowhere --out none ${address}`)).toMatchObject({ code: 3 })
  expect(await run(`plates --id x --out none ${address}`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--id must be the number of a fountain'),
  })
  expect(await run('plates --out none')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--public-url is missing'),
  })
})
