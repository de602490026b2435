import * as z from 'zod'
import { id } from '../../../core/primitives.ts'

/** A custom role as those show it who hold it. */
export const heldRole = z
  .object({ id: id('rol'), name: z.string() })
  .nullable()
  .meta({ description: "takes the place of the built-in role's permissions; null where none does" })
