const sizes = [
  [1, 'byte', 'B'],
  [1e3, 'kilobyte', 'kB'],
  [1e6, 'megabyte', 'MB'],
  [1e9, 'gigabyte', 'GB'],
] as const

/** A file's size in kB, MB or GB (powers of ten) as a language writes it, in the language's own script. */
export function writeBytes(tag: string, bytes: number): string {
  const [size, unit, symbol] = sizes.find(([least]) => bytes < least * 999.95) ?? sizes[3]
  const isLatin = new Intl.Locale(tag).maximize().script === 'Latn'
  const style = isLatin ? {} : ({ style: 'unit', unit } as const)
  const value = new Intl.NumberFormat(tag, { ...style, maximumFractionDigits: 1 }).format(bytes / size)
  return isLatin ? `${value} ${symbol}` : value
}
