/** The reason of a reading error: the host does not send the file, or it is not the expected one. */
export type ReadingProblem = 'NOT_SENT' | 'DAMAGED'

export class ReadingError extends Error {
  override readonly name = 'ReadingError'
  readonly code: ReadingProblem

  constructor(code: ReadingProblem, error: unknown) {
    super(error instanceof Error ? error.message : String(error))
    this.code = code
  }
}

/** A fountain by the columns of the export; null where nothing is known. */
export type Row = Readonly<Record<string, unknown>>

/** The fountains of all files, by ascending id. @throws ReadingError */
export async function readRows(addresses: readonly string[]): Promise<readonly Row[]> {
  const rows = (await Promise.all(addresses.map(rowsOf))).flat()
  return rows.toSorted((one, other) => Number(one['id']) - Number(other['id']))
}

async function rowsOf(address: string): Promise<Row[]> {
  const response = await fetch(address).catch((error: unknown) => {
    throw new ReadingError('NOT_SENT', error)
  })
  if (!response.ok) throw new ReadingError('NOT_SENT', `HTTP ${response.status}`)
  const rows: Row[] = []
  try {
    const file = await response.blob()
    const pieces = (await plain(file)).pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value = '' } = await pieces.read()
      const lines = `${rest}${value}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) rows.push(JSON.parse(line) as Row)
      if (done) return rows
    }
  } catch (error) {
    throw new ReadingError('DAMAGED', error)
  }
}

/** The bytes of a gzipped file; some hosts declare it as an encoding, and the browser has unzipped it then. */
async function plain(file: Blob): Promise<ReadableStream<BufferSource>> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isZipped = first === 0x1f && second === 0x8b
  return isZipped ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream()
}
