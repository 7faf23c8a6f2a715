import { readFileSync } from 'node:fs'
import path from 'node:path'
import jsonld from 'jsonld'
import { Parser, Store } from 'n3'
import Validator from 'rdf-validate-shacl'
import { jsonIn, textIn } from '@openfountain/testing/folder'
import { expect, test } from 'vitest'
import { publisher, writtenEdition } from './sample-snapshot.ts'

const shapes = new Store(
  new Parser().parse(readFileSync(new URL('../fixtures/dcat-ap-3.0.1-shapes.ttl', import.meta.url), 'utf8')),
)
const base = 'https://lund.example/data/'
const parsed = (turtle: string) => new Parser({ baseIRI: base }).parse(turtle)
const canonical = (nquads: string) =>
  jsonld.canonize(nquads as unknown as object, { inputFormat: 'application/n-quads', algorithm: 'URDNA2015' })
const ofTurtle = async (folder: string) => {
  const lines = parsed(textIn(folder, 'dataset.ttl')).map(
    (quad) => `${[quad.subject, quad.predicate, quad.object].map(nquad).join(' ')} .`,
  )
  return canonical(`${lines.join('\n')}\n`)
}
type Term = ReturnType<typeof parsed>[number]['object'] | ReturnType<typeof parsed>[number]['subject']
function nquad(term: Term | { termType: 'NamedNode'; value: string }): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType === 'BlankNode') return `_:${term.value}`
  if (term.termType !== 'Literal') return term.value
  return `${JSON.stringify(term.value)}^^<${term.datatype.value}>`
}

test.each([['ODbL-1.0'], ['CC-BY-4.0'], ['Terms of the "city" <of> Lund']])(
  'under %s it has no violation of DCAT-AP, and is the same as JSON-LD and as Turtle',
  async (license) => {
    const folder = await writtenEdition({ license, fictional: false })
    const text = textIn(folder, 'dataset.ttl')
    const report = await new Validator(shapes).validate(new Store(parsed(text)))
    expect(
      report.results.map(({ path: its, message, focusNode }) => [focusNode?.value, its, message]),
    ).toEqual([])
    const asJson = await jsonld.canonize(jsonIn(folder, 'dataset.jsonld'), {
      algorithm: 'URDNA2015',
      base,
    })
    expect(await ofTurtle(folder)).toBe(asJson)
    // The regulation of high-value datasets permits no share-alike.
    expect(text.includes('dcatap:hvdCategory')).toBe(license === 'CC-BY-4.0')
  },
)

test('each file is a distribution with its address, types and checksum', async () => {
  const folder = await writtenEdition({ addresses: { url: base } })
  const quads = parsed(textIn(folder, 'dataset.ttl'))
  const of = (name: string) => quads.filter(({ predicate }) => predicate.value.endsWith(name))
  const addresses = of('dcat#downloadURL').map(({ object }) => object.value)
  expect(addresses).toContain(`${base}waypoints.gpkg`)
  expect(of('dcat#distribution')).toHaveLength(addresses.length)
  expect(of('spdx.org/rdf/terms#checksumValue')).toHaveLength(addresses.length)
  expect(of('dc/terms/format').map(({ object }) => path.basename(object.value))).toContain('GPKG')
  expect(new Set(of('foaf/0.1/name').map(({ object }) => object.value))).toEqual(new Set([publisher.author]))
})
