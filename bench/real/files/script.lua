local t = {}
for line in io.lines("fruit") do
  local name, count = line:match("(%a+) (%d+)")
  t[#t + 1] = string.format("%-6s %3d", name, count)
end
table.sort(t)
print(table.concat(t, "\n"))
