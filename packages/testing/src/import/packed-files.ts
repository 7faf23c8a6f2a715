import { deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { PbfWriter } from 'pbf'

type Files = Readonly<Record<string, string | Uint8Array>>
export type Cell = string | number | undefined

export const zipped = (files: Files): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ),
  )

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

interface TestSheet {
  readonly rows: readonly (readonly Cell[])[]
  readonly hidden?: boolean
  readonly data?: string
}

/** Texts that are repeated stand among the shared ones; style 1 is a date. @param workbook attributes */
export function xlsx(sheets: Readonly<Record<string, TestSheet>>, workbook = ''): Uint8Array {
  const shared: string[] = []
  const cell = (value: Cell): string => {
    if (value === undefined) return '<c/>'
    if (typeof value === 'number') return `<c><v>${value}</v></c>`
    if (value.length > 8) return `<c t="inlineStr"><is><t>${xml(value)}</t></is></c>`
    return `<c t="s"><v>${shared.push(value) - 1}</v></c>`
  }
  const all = Object.entries(sheets)
  const files: Record<string, string> = {}
  for (const [index, [, { rows, data }]] of all.entries())
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${
        data ?? rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
      }</sheetData></worksheet>`
  files['xl/workbook.xml'] = `<workbook xmlns:r="r"><workbookPr ${workbook}/><sheets>${all
    .map(
      ([name, { hidden }], index) =>
        `<sheet name="${xml(name)}" sheetId="${index + 1}" ${hidden === true ? 'state="hidden"' : ''} r:id="rId${index + 1}"/>`,
    )
    .join('')}</sheets></workbook>`
  files['xl/_rels/workbook.xml.rels'] = `<Relationships>${all
    .map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
    .join('')}</Relationships>`
  files['xl/sharedStrings.xml'] =
    `<sst>${shared.map((text) => `<si><t>${xml(text)}</t></si>`).join('')}</sst>`
  files['xl/styles.xml'] =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>'
  return zipped(files)
}

export function ods(rows: readonly (readonly Cell[])[]): Uint8Array {
  const cell = (value: Cell): string =>
    value === undefined
      ? '<table:table-cell/>'
      : typeof value === 'number'
        ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
        : `<table:table-cell office:value-type="string"><text:p>${xml(value)}</text:p></table:table-cell>`
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')
  const empty =
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
  return zipped({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': odsContent(`<table:table table:name="Brunnen">${body}${empty}</table:table>`),
  })
}

export const odsContent = (tables: string, styles = ''): string =>
  `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`

interface TestShapefile {
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly names: readonly (string | Uint8Array)[]
  readonly prj?: string
  readonly cpg?: string
  /** The language driver of the dBase table. Default none. */
  readonly driver?: number
}

export function shapefile({ points, names, prj, cpg, driver = 0 }: TestShapefile): Uint8Array {
  const shp = Buffer.alloc(100 + points.length * 28)
  shp.writeInt32BE(9994, 0)
  shp.writeInt32BE(shp.length / 2, 24)
  shp.writeInt32LE(1000, 28)
  shp.writeInt32LE(1, 32)
  for (const [index, [x, y]] of points.entries()) {
    const at = 100 + index * 28
    shp.writeInt32BE(index + 1, at)
    shp.writeInt32BE(10, at + 4)
    shp.writeInt32LE(1, at + 8)
    shp.writeDoubleLE(x, at + 12)
    shp.writeDoubleLE(y, at + 20)
  }
  const width = 40
  const dbf = Buffer.alloc(65 + names.length * (width + 1), 0x20)
  dbf.fill(0, 0, 65)
  dbf[0] = 3
  dbf.writeUInt32LE(names.length, 4)
  dbf.writeUInt16LE(65, 8)
  dbf.writeUInt16LE(width + 1, 10)
  dbf[29] = driver
  dbf.write('name', 32)
  dbf.write('C', 43)
  dbf[48] = width
  dbf[64] = 0x0d
  for (const [index, name] of names.entries())
    dbf.set(typeof name === 'string' ? Buffer.from(name) : name, 66 + index * (width + 1))
  return zipped({
    'brunnen.shp': shp,
    'brunnen.dbf': dbf,
    ...(prj === undefined ? {} : { 'brunnen.prj': prj }),
    ...(cpg === undefined ? {} : { 'brunnen.cpg': cpg }),
  })
}

interface TestExtract {
  readonly nodes: readonly { id: number; lat: number; lon: number; tags: object }[]
  readonly ways: readonly { id: number; nodes: readonly number[]; tags: object }[]
  readonly relations: readonly { id: number; ways: readonly number[]; tags: object }[]
  readonly seconds?: number
  readonly data?: Uint8Array
  readonly features?: readonly string[]
}

export function osmPbf({
  nodes,
  ways,
  relations,
  seconds = 0,
  data,
  features = [],
}: TestExtract): Uint8Array {
  const texts = ['']
  const of = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1)
  const differences = (numbers: readonly number[]) => numbers.map((each, at) => each - (numbers[at - 1] ?? 0))
  const signed = (pbf: PbfWriter, tag: number, numbers: readonly number[]) =>
    pbf.writePackedSVarint(tag, differences(numbers))
  const tags = (pbf: PbfWriter, given: object) => {
    pbf.writePackedVarint(2, Object.keys(given).map(of))
    pbf.writePackedVarint(
      3,
      Object.values(given).map((each) => of(String(each))),
    )
  }
  const message = (write: (pbf: PbfWriter) => void): Uint8Array => {
    const pbf = new PbfWriter()
    write(pbf)
    return pbf.finish()
  }
  const group = message((pbf) => {
    pbf.writeBytesField(
      2,
      message((dense) => {
        signed(
          dense,
          1,
          nodes.map(({ id }) => id),
        )
        signed(
          dense,
          8,
          nodes.map(({ lat }) => Math.round(lat * 1e7)),
        )
        signed(
          dense,
          9,
          nodes.map(({ lon }) => Math.round(lon * 1e7)),
        )
        const words = nodes.flatMap((node) => [
          ...Object.entries(node.tags)
            .flat()
            .map((each) => of(String(each))),
          0,
        ])
        dense.writePackedVarint(10, words)
      }),
    )
    for (const way of ways)
      pbf.writeBytesField(
        3,
        message((each) => {
          each.writeVarintField(1, way.id)
          tags(each, way.tags)
          signed(each, 8, way.nodes)
        }),
      )
    for (const relation of relations)
      pbf.writeBytesField(
        4,
        message((each) => {
          each.writeVarintField(1, relation.id)
          tags(each, relation.tags)
          signed(each, 9, relation.ways)
          each.writePackedVarint(
            10,
            relation.ways.map(() => 1),
          )
        }),
      )
  })
  const block = message((pbf) => {
    pbf.writeBytesField(
      1,
      message((table) => {
        for (const text of texts) table.writeStringField(1, text)
      }),
    )
    pbf.writeBytesField(2, group)
  })
  const head = message((pbf) => {
    for (const feature of ['OsmSchema-V0.6', 'DenseNodes', ...features]) pbf.writeStringField(4, feature)
    if (seconds > 0) pbf.writeVarintField(32, seconds)
  })
  const blob = (type: string, content: Uint8Array): Uint8Array => {
    const packed = message((pbf) => {
      pbf.writeVarintField(2, content.length)
      pbf.writeBytesField(3, deflateSync(content))
    })
    const header = message((pbf) => {
      pbf.writeStringField(1, type)
      pbf.writeVarintField(3, packed.length)
    })
    const length = Buffer.alloc(4)
    length.writeUInt32BE(header.length)
    return Buffer.concat([length, header, packed])
  }
  return Buffer.concat([blob('OSMHeader', head), blob('OSMData', data ?? block)])
}
