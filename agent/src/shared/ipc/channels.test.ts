import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type CommandName, commandNames, commands } from './channels.ts'

describe('what the window may ask', () => {
  it.each(commandNames)('%s takes the fields that it declares and no other', (name: CommandName) => {
    const { input } = commands[name]
    expect(input).toBeInstanceOf(z.ZodObject)
    const { catchall } = (input as unknown as z.ZodObject)._zod.def
    expect(catchall?._zod.def.type).toBe('never')
    const { error } = z.safeParse(input, { __extra: true })
    expect(error?.issues.map(({ code }) => code)).toContain('unrecognized_keys')
  })
})
