import { palette } from '@integrity/protocol'
import * as z from 'zod'

/** What the window shows of an organisation beside its name. */
export const agentBrand = z.object({
  palette: palette.optional(),
  primaryColor: z.string().max(20).optional(),
  /** An address of the service. */
  logoUrl: z.string().max(500).optional(),
  welcome: z.string().max(500).optional(),
})
export type AgentBrand = z.output<typeof agentBrand>

/** What fits of the service's answer: a brand is never a reason for not joining. */
export const agentBrandOf = (brand: Readonly<Record<string, unknown>> | undefined): AgentBrand | undefined => {
  const fitting = Object.entries(agentBrand.shape).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(brand?.[name])
    return data === undefined ? [] : [[name, data] as const]
  })
  return fitting.length === 0 ? undefined : (Object.fromEntries(fitting) as AgentBrand)
}
