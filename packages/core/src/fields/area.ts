import { limits } from '../rules.ts'
import { when, optionalNames, optionalValuesIn, textNames, type Fields } from './field.ts'

/** Every field of a bounding box. */
export const areaFields = {
  id: { type: 'id', setBy: 'nobody', column: 'id', meaning: 'Identifier of the area' },
  name: {
    type: 'text',
    setBy: 'tokens',
    minLength: 1,
    maxLength: limits.areaName,
    isText: true,
    column: 'name',
    meaning: 'Name',
  },
  description: {
    type: 'text',
    optional: true,
    setBy: 'tokens',
    maxLength: limits.description,
    isText: true,
    column: 'description',
    meaning: 'What is to be known of it',
  },
  color: { type: 'text', setBy: 'tokens', column: 'color', meaning: 'Colour on the map, such as #ff8c00' },
  coordinates: {
    type: 'rings',
    setBy: 'tokens',
    column: 'coordinates',
    meaning: 'Rings of its polygon as in GeoJSON',
  },
  properties: {
    type: 'object',
    setBy: 'tokens',
    column: 'properties',
    meaning: 'Whatever else is kept with it',
  },
  active: { type: 'flag', setBy: 'tokens', column: 'active', meaning: 'Whether it is shown' },
  createdAt: { ...when, column: 'created_at', meaning: 'When it was added, UTC' },
  updatedAt: { ...when, column: 'updated_at', meaning: 'When it was last changed, UTC' },
} as const satisfies Fields

export const areaOptionals = optionalNames(areaFields)
export const areaTexts = textNames(areaFields)

/** The optional fields of a bounding box that an object has. */
export const areaValuesOf = optionalValuesIn(areaFields)
