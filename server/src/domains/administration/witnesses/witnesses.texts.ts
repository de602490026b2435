import type { Letter } from '../../../platform/mail/letter.ts'

/** To be kept outside: it is the proof, so it stands in the mail as it is. */
export const checkpointLetter = (
  orgId: string,
  { rows, checkpoint, verifierKey }: { rows: number; checkpoint: string; verifierKey: string },
): Pick<Letter, 'subject' | 'text'> => ({
  subject: `Checkpoint of your audit trail: ${rows} rows`,
  text: [
    'This is a signed statement of how long the audit trail of your organisation is and where it ends.',
    'Keep it outside of the service: with it anybody can show later whether rows were cut or rewritten.',
    '',
    checkpoint,
    `Key: ${verifierKey}`,
    '',
    `To hold the trail against it, save it to a file and run: audit verify --org ${orgId} --against FILE`,
    'Owners and admins get this once a day when the trail has moved. It is turned off where the witnesses are chosen.',
    '',
  ].join('\n'),
})
