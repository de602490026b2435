import type { RoomFacts } from './room.types.ts'

/** Whether the interview asks for pictures of the room at the moment. */
export const asked = ({ config }: RoomFacts): boolean => config.camera.enabled && config.camera.stills

/** Whether the candidate has agreed and has not withdrawn. */
export const agreed = ({ consent }: RoomFacts): boolean => consent?.granted === true && consent.withdrawnAt === null

export const mayTake = (facts: RoomFacts): boolean => asked(facts) && agreed(facts)
