/** The value of a custom field as people read it, whatever their language; nothing for what cannot be one. */
export function customText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  if (Array.isArray(value)) return value.map(customText).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
