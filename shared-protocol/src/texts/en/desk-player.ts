/** Every text of the desk’s rooms of the player of a review. */
export const texts = {
  playerSection: 'Player',
} as const
