import { expect, test } from 'vitest'
import { spring, type Stage, serving } from '@openfountain/testing/server/stage'

const declared = {
  type: 'object',
  description: 'What the waterworks know',
  properties: {
    height: { type: 'number', title: 'Height', maximum: 5 },
    operatorCode: { type: 'string', maxLength: 20 },
  },
} as const

async function staged(properties?: typeof declared): Promise<Stage> {
  const stage = await serving({}, undefined, properties)
  return stage
}

const schemasOf = ({ document }: Stage) => document.components.schemas

test('the document of a registry that declares custom fields says which', async () => {
  const schemas = schemasOf(await staged(declared))
  expect(schemas['Waypoint']?.properties).toMatchObject({
    properties: { type: 'object', description: 'What the waterworks know', properties: declared.properties },
  })
  for (const name of ['WaypointInput', 'WaypointPatch'])
    expect(schemas[name]?.properties).toMatchObject({
      properties: {
        anyOf: [
          {
            properties: { height: { anyOf: [{ type: 'number', maximum: 5 }, { type: 'null' }] } },
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
    })
})

test('without a declaration a body’s custom fields are ignored like other members that nobody knows', async () => {
  const stage = await staged()
  const made = await stage.made({ properties: { height: 1.5 } })
  expect(made).not.toHaveProperty('properties')
  const path = `/api/waypoints/${made.id}`
  const response = await stage.ask('PATCH', path, {
    as: 'regular',
    body: { ...spring, name: 'Well', properties: 'anything' },
  })
  expect(response).toMatchObject({ status: 200, body: { name: 'Well' } })
  expect(response.body).not.toHaveProperty('properties')
  expect(schemasOf(stage)['Waypoint']?.properties).toHaveProperty('properties')
})
