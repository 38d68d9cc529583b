/**
 * The help's topics for planners, apart from the functions. They are the single source of the topic pages and
 * the pane's help (see entries.cjs for its parts). The keys come from the files that Excel reads, so that
 * they are always right.
 */
"use strict";

/**
 * @param {{ shortcuts: { action: string, key: { default: string } }[] }} keys assets/shortcuts.json
 * @param {Record<string, { value: string }>} names of the actions, from assets/shortcuts-resources.json
 */
function helpTopics({ shortcuts }, names) {
  return [...topics, keysTopic(shortcuts.map(({ action, key }) => [key.default, names[action].value]))];
}

const topics = [
  {
    id: "errors",
    title: "What a cell shows without a value",
    parts: [
      {
        pairs: [
          [
            "`#N/A`",
            "The service has no such value: the item isn't mapped to you, has no data at that store, or has no record for that area and state.",
          ],
          [
            "`#VALUE!`",
            "There is no answer, and INV has no last number: an argument is wrong, INV isn't connected, the quota is used up, or the service is down. You find the reason at the cell and in the pane, on the Cell tab, and for all cells on the Refresh tab.",
          ],
          [
            "`#BUSY!`",
            "The cell waits for its answer. Every request ends, with a value or a reason. If Excel loses a result, for example while the computer sleeps, refresh the selection.",
          ],
          [
            "`#NAME?`",
            "Excel doesn't know INV's functions yet. Open the INV pane once. If there is no pane, INV isn't installed for you. In a file from another program `#NAME?` stays until the formula is entered again: press F2, then Enter. For many cells, use Replace All: find `INV.` and replace it with `INV.`.",
          ],
          [
            "`#CALC!`",
            "The formula has a range where the function takes one store and one item, as in `INV.EVENTS`, or whole columns such as `A:A`. Give the rows: `A2:A5000`.",
          ],
          [
            "`#SPILL!`",
            "The result is a table, and other cells are in its way. Clear the cells below and to the right.",
          ],
          ["blank", "The store or the item is blank. INV sent nothing."],
          ["0", "The service says 0. For a sum of events: the history contains no such events."],
        ],
      },
      "Use `IFNA` around INV functions, never `IFERROR`: then an outage can't turn into zeros.",
    ],
  },
  {
    id: "freshness",
    title: "How old values are",
    parts: [
      "INV shows a value again without a request if it is younger than the freshness time (15 minutes, unless you change it in Settings). It requests an older value when the cell is calculated. Opening a workbook sends nothing.",
      "The line at the top of the pane shows the time of the oldest stock in the workbook. After the freshness time it turns amber. Click it to list these cells and go to them.",
      "A refresh requests values again: for the selected cells, the sheet, the workbook, or only for older values. Cells keep their numbers until the new ones are there, and in an outage too.",
      "You switch on automatic refresh for one workbook, in Settings. It shows its next time and its cost per hour. `INV.ASOF` shows the time of a value in a cell, and `INV.UPDATED` the time when the service last changed its record.",
    ],
  },
  {
    id: "what-changed",
    title: "What changed",
    parts: [
      "After a refresh the Refresh tab shows which quantities changed, for example 37 cells changed, 2 had no value before. It compares cells that show what INV.QTY, INV.STOCK or INV.EVENTQTY returned, alone or within IFNA; a sheet on which cells moved during the refresh, or that was renamed, is left out. Each line shows the value before and after, the text that stands beside the cell in its row, the store and the item. The largest difference comes first. A formula that fills many cells has one line, with its values inside.",
      "Click a cell's address to select it. To a new sheet writes the list as values, which you can sort and filter there. The first refresh after you open a workbook compares with the values that the file had.",
      "Stale cells don't count as changed. Neither do cells that you edited during the refresh, or that ask for something else than before. After Cancel you see the earlier list, until Refresh the rest has finished it.",
      "With more than 200,000 values, INV compares none. Refresh one sheet.",
    ],
  },
  {
    id: "stale",
    title: "Last known values",
    parts: [
      "In an outage a cell keeps its last number if INV has one, and INV marks it as stale. Otherwise it shows `#VALUE!`.",
      "The Status column of the templates shows since when, in UTC, and colours the row. In a sheet of your own, `=INV.STATUS(A2,B2,,TRUE)` shows it too.",
      "If a cell gets no new answer (an outage, the quota, Cancel), it shows its last known value. The Refresh tab counts such cells as stale, and lists them with their age and the reason.",
      "Refresh the rest requests only what is missing, or older than the freshness time: after an outage, Cancel, or Stop in a large fill-down. It continues the refresh that you began, whatever is selected by then. In Settings you can let such cells show the error instead.",
    ],
  },
  {
    id: "quota",
    title: "The quota",
    parts: [
      "The service allows your whole company 600 calls a minute. One call returns up to 100 items of one store, or one page of one item's events. INV packs your cells into as few calls as possible, waits when the quota is used up, and loses no cell.",
      "Before you refresh, the Refresh tab shows the price: cells, calls, time. Quantities are cheap. Events need at least one call for each store and item.",
      "The meter counts your calls in the last minute, or the company's if your team has a server.",
    ],
  },
  {
    id: "guard",
    title: "Large fill-downs: fetch all, or stop",
    parts: [
      "If formulas need more than 100 calls at once, INV sends the first ones (for the current sheet) and then pauses. The pane shows the price and asks: Fetch all, or Stop.",
      "If you don't choose, INV continues after 30 seconds and uses at most half of the quota. No cell waits for ever. After Stop, Refresh the rest on the Refresh tab requests the others.",
      "You can change the limit in Settings; 0 never asks. INV doesn't ask for a refresh, because you saw its price. The demo is free.",
    ],
  },
  {
    id: "sharing",
    title: "Sharing a workbook",
    parts: [
      {
        pairs: [
          [
            "Copy with values",
            "Makes a new sheet with today's date: values and formats, with their age and environment above, and no formulas.",
          ],
          [
            "To send the values",
            "In Excel, right-click the copy's tab, choose Move or Copy, and select a new workbook. In the browser workbook, choose Download.",
          ],
          ["To give somebody the sheet without your numbers", "Save it as a template, on the Templates tab."],
        ],
      },
      "You find it in the pane, on the Templates tab, and on the Home tab. A workbook contains the name of its environment and no secrets. A colleague's INV asks before it uses their credentials for a new workbook.",
    ],
  },
  {
    id: "connecting",
    title: "Connecting, and whose credentials",
    parts: [
      "In Settings you choose where numbers come from: the demo (made-up stock, no credentials), a sandbox, or production. Your team's server may keep the credentials for you.",
      "INV keeps what you type in memory or, if you choose so, encrypted on this device; never in the workbook. Forget removes it. If the service refuses it, INV sends nothing until you type it again.",
    ],
  },
  {
    id: "numbers",
    title: "Stores, GTINs and item numbers",
    parts: [
      {
        pairs: [
          ["Store number", "2 to 6 digits."],
          [
            "GTIN",
            "14 digits. INV adds leading zeros that Excel dropped: 8 or 10 to 13 digits work, as text or as a number.",
          ],
          [
            "Item number",
            'Usually 9 digits. Set the last argument: `INV.QTY(1234,"123456789",,,"wm_item_number")`.',
          ],
        ],
      },
      'Check a list, on the Templates tab, finds wrong stores and items before they cost a request. To look items up in another list, write all 14 digits: `=TEXT(A2,"00000000000000")`.',
    ],
  },
  {
    id: "lists",
    title: "Lists of stores and items",
    parts: [
      "Give a column of stores or items a name with Formulas, Name Manager, or make it a Table, whose columns have names: `Items[GTIN]`.",
      {
        pairs: [
          ["`=INV.QTY(Stores, TRANSPOSE(Items))`", "A grid: a row for each store, a column for each item."],
          [
            "`=INV.QTY(1234, Items[GTIN])`",
            "A column: the items of a Table at one store. It grows with the Table.",
          ],
        ],
      },
      "In the browser workbook, use ranges: `=INV.QTY(A2:A40, B1:Z1)`.",
    ],
  },
];

function keysTopic(keys) {
  return {
    id: "keys",
    title: "Keys",
    parts: [
      {
        pairs: [
          ...keys.map(([key, name]) => [`\`${key}\``, `${name}.`]),
          [
            "`F1`",
            "Shows help for the function in the selected cell: in the INV pane, and everywhere in the browser workbook.",
          ],
          ["`F6`", "Moves from the sheet to the pane and back."],
        ],
      },
    ],
  };
}

module.exports = { helpTopics };
