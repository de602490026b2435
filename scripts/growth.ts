// What 100, 10,000 and 1,000,000 interviews a day need, from measured costs: the table of docs/scaling.md.
import { costs, habits, prices, steps } from './growth/costs.ts'
import { needOf, tableOf } from './growth/model.ts'

console.log(tableOf(steps.map((perDay) => needOf(perDay, costs, habits, prices))))
