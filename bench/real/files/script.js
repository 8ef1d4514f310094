print([3,1,2].sort().join("-"));
var o = JSON.parse("{\"a\":[1,2,{\"b\":null}]}");
print(JSON.stringify(o));
